import CivilTime
import KindVerbAPI

/// `notifications …`
enum NotificationCommands {
  /// What may stand in the place of a time.
  static let words = ["on", "off"]

  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    guard let word = arguments.words.first else {
      let settings = try session.call(Methods.NotificationSettingsGet.self, .init())
      return session.show(settings) { show(settings, session) }
    }
    guard arguments.words.count == 1, words.contains(word) else {
      throw Verb.unknown(["notifications"] + arguments.words, session)
    }
    let consent = try session.call(Methods.NotificationConsentSet.self, .init(granted: word == "on"))
    if session.options.isJSON || session.options.isDryRun {
      return session.show(consent) { session.terminal.say(session.text(state(consent.state))) }
    }
    show(try session.call(Methods.NotificationSettingsGet.self, .init()), session)
  }

  static func reflection(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    try change(.dailyReflection, session, arguments)
  }

  static func followUp(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    try change(.draftFollowUp, session, arguments)
  }

  static func gratitude(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    try change(.gratitude, session, arguments)
  }

  private static func change(_ type: QuietType, _ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let settings: NotificationSettings
    if let word = arguments.words.first {
      settings = try session.call(Methods.NotificationSettingsSet.self, try params(type, word, session))
    } else {
      settings = try session.call(Methods.NotificationSettingsGet.self, .init())
    }
    session.show(settings) {
      let text = NotificationWords(settings, session.language)
      session.terminal.say(session.text(.cliNotifLine, text.name(type), text.when(type)))
      sayWhatComes(settings, text, session)
    }
  }

  private static func params(_ type: QuietType, _ word: String, _ session: Session) throws(Failure)
    -> Methods.NotificationSettingsSet.Params
  {
    let isOn = word != "off"
    let time = words.contains(word) ? nil : TimeOfDay(word)?.text
    if type == .draftFollowUp {
      guard words.contains(word) else {
        throw .choice(session.text(.cliErrorWrongValue, "notifications follow-up", word), of: words, session.language)
      }
      return .init(draftFollowUpEnabled: isOn)
    }
    guard words.contains(word) || time != nil else { throw .usage(showing: session.text(.cliRemindForm, word)) }
    return type == .gratitude
      ? .init(gratitudeEnabled: isOn, gratitudeTime: time) : .init(dailyReflectionEnabled: isOn, dailyReflectionTime: time)
  }

  // MARK: In words

  private static func show(_ settings: NotificationSettings, _ session: Session) {
    let text = NotificationWords(settings, session.language)
    session.terminal.say(session.text(state(settings.consent)))
    var table = Table()
    for type in QuietType.allCases { table.add(["  " + text.name(type), text.when(type)]) }
    for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
    if settings.consent == .granted { session.terminal.say(session.text(.cliNotifLimits)) }
    sayWhatComes(settings, text, session, isStateTold: true)
  }

  /// What comes next; where nothing is shown, that, and how to change it.
  private static func sayWhatComes(
    _ settings: NotificationSettings, _ text: NotificationWords, _ session: Session, isStateTold: Bool = false
  ) {
    if settings.consent == .granted { return session.terminal.say(text.next) }
    if !isStateTold { session.terminal.say(session.text(state(settings.consent))) }
    let next = session.next("notifications on")
    if session.terminal.isTerminal, !next.isEmpty { session.terminal.line(String(next.dropFirst())) }
  }

  private static func state(_ state: ConsentState) -> MessageKey {
    switch state {
    case .granted: .cliNotifOn
    case .declined: .cliNotifDeclined
    case .notAsked, .offered: .cliNotifNotAsked
    }
  }
}

/// Quiet notifications in words.
struct NotificationWords {
  private let settings: NotificationSettings
  private let language: Language

  init(_ settings: NotificationSettings, _ language: Language) {
    self.settings = settings
    self.language = language
  }

  func name(_ type: QuietType) -> String {
    switch type {
    case .dailyReflection: MessageKey.cliNotifReflection.text(in: language)
    case .draftFollowUp: MessageKey.cliNotifFollowUp.text(in: language)
    case .gratitude: MessageKey.cliNotifGratitude.text(in: language)
    }
  }

  /// When a type comes, as it was chosen.
  func when(_ type: QuietType) -> String {
    let (isOn, key, time): (Bool, MessageKey, String?) =
      switch type {
      case .dailyReflection: (settings.dailyReflectionEnabled, .cliNotifDaily, settings.dailyReflectionTime)
      case .draftFollowUp: (settings.draftFollowUpEnabled, .cliNotifDayLater, nil)
      case .gratitude: (settings.gratitudeEnabled, .cliNotifSundays, settings.gratitudeTime)
      }
    return isOn ? key.text(in: language, filling: time.map { [$0] } ?? []) : MessageKey.cliNotifIsOff.text(in: language)
  }

  /// What comes next.
  var next: String {
    guard let next = settings.next else { return MessageKey.cliNotifNothing.text(in: language) }
    let day = RemindWords.day(next.dateIso, today: CivilDate(iso: settings.today), language)
    return MessageKey.cliNotifNext.text(in: language, filling: [day, next.localTime, name(next.type)])
  }
}
