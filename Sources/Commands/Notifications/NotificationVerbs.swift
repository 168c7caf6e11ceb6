import KindVerbAPI

extension Verb {
  /// Quiet notifications.
  static let notificationVerbs: [Verb] = [
    Verb(
      path: ["notifications"], arguments: "[on|off]", choices: NotificationCommands.words, summary: .cliHelpNotifications,
      run: NotificationCommands.run),
    Verb(
      path: ["notifications", "reflection"], arguments: "[HH:MM|on|off]", maximum: 1, choices: NotificationCommands.words,
      summary: .cliHelpNotificationsReflection, run: NotificationCommands.reflection),
    Verb(
      path: ["notifications", "follow-up"], arguments: "[on|off]", maximum: 1, choices: NotificationCommands.words,
      summary: .cliHelpNotificationsFollowUp, run: NotificationCommands.followUp),
    Verb(
      path: ["notifications", "gratitude"], arguments: "[HH:MM|on|off]", maximum: 1, choices: NotificationCommands.words,
      summary: .cliHelpNotificationsGratitude, run: NotificationCommands.gratitude),
  ]
}
