/// A bubble on the desktop. Its text is plain; what looks like markup is shown as it stands.
public struct DesktopNotification: Equatable, Sendable {
  /// How much it presses. The standard's numbers.
  public enum Urgency: UInt8, Sendable {
    case low = 0
    case normal = 1
    /// Does not go away by itself.
    case critical = 2
  }

  /// The program's name for people.
  public var appName: String
  /// The icon's name in the theme, or empty.
  public var icon: String
  /// The title, one line.
  public var summary: String
  /// The text below it; may have several lines.
  public var body: String
  /// What a click on it does, in words; nil if a click does nothing.
  public var defaultActionLabel: String?
  /// How much it presses.
  public var urgency: Urgency
  /// The kind of notification, such as `x-kindverb.reminder`; empty for none.
  public var category: String
  /// The program's desktop file without `.desktop`.
  public var desktopEntry: String
  /// Whether it stays until it is clicked, put away or closed. Otherwise the service decides how long.
  public var stays = false

  /// A notification; control characters in its texts are taken out.
  public init(
    appName: String, icon: String = "", summary: String, body: String, defaultActionLabel: String? = nil,
    urgency: Urgency = .normal, category: String = "", desktopEntry: String = "kindverb"
  ) {
    self.appName = appName
    self.icon = icon
    self.summary = summary
    self.body = body
    self.defaultActionLabel = defaultActionLabel
    self.urgency = urgency
    self.category = category
    self.desktopEntry = desktopEntry
  }
}

/// A notification that a service has taken: its number means something to that very process alone.
public struct StandingNotification: Hashable, Sendable {
  /// The service's number for it, never 0.
  public let number: UInt32
  /// The bus's identity and the service's unique name on it: another one after a restart of either.
  public let service: String

  /// What was stored when it was shown.
  public init(number: UInt32, service: String) {
    self.number = number
    self.service = service
  }
}

/// What the bus carries of a text.
enum NotificationText {
  /// One line: line feeds become spaces, other control characters are taken out.
  static func line(_ text: String) -> String { clean(text, lineFeed: " ") }

  /// Several lines.
  static func lines(_ text: String) -> String { clean(text, lineFeed: "\n") }

  /// For a service that reads markup.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func clean(_ text: String, lineFeed: Unicode.Scalar) -> String {
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\n" {
        cleaned.append(lineFeed)
      } else if scalar == "\t" {
        cleaned.append(" ")
      } else if scalar.properties.isNoncharacterCodePoint {
        // The bus refuses a whole message for one of these.
        cleaned.append("\u{FFFD}")
      } else if scalar.properties.generalCategory != .control {
        cleaned.append(scalar)
      }
    }
    return String(cleaned)
  }
}
