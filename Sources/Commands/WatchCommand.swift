import Glibc
import JSON
import JSONRPC
import KindVerbAPI

/// `watch [TOPIC …]`: a line for every change, at once; it goes on after the daemon has restarted.
enum WatchCommand {
  static func run(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    var topics: [Topic] = []
    for word in arguments.words {
      guard let topic = Topic(rawValue: word) else {
        let message = session.text(.cliErrorWrongValue, "TOPIC", word)
        throw .choice(message, of: Topic.allCases.map(\.rawValue), session.language)
      }
      topics.append(topic)
    }
    var cursor = arguments["since"]
    // The first subscription must succeed, else there is something to mend before anything can be watched.
    var isSubscribed = false
    let wait = SocketWait(for: session.options.socket)
    while true {
      do {
        try follow(session, topics, &cursor) {
          isSubscribed = true
          wait.reset()
        }
      } catch {
        // The daemon went away in the middle: it may be restarted, now or later.
        guard isSubscribed, error.isPassing else { throw error }
        wait.wait()
      }
    }
  }

  private static func follow(
    _ session: Session, _ topics: [Topic], _ cursor: inout String?, connected: () -> Void
  ) throws(Failure) {
    let fresh = Session(session.options, terminal: session.terminal)
    let subscription = try fresh.call(
      Methods.EventsSubscribe.self, .init(topics: topics.isEmpty ? nil : topics, since: cursor))
    connected()
    cursor = subscription.cursor
    let client = try fresh.client()
    while true {
      let event: ServerNotification
      do { event = try client.notification() } catch { throw Failure(error, session.language) }
      if let place = event.params["cursor"]?.stringValue { cursor = place }
      show(event, session)
    }
  }

  private static func show(_ event: ServerNotification, _ session: Session) {
    if session.options.isJSON || !session.terminal.isTerminal {
      let line: JSON = ["method": .string(event.method), "params": event.params]
      return session.terminal.json(line.description)
    }
    let part = { (name: String) in event.params[name]?.stringValue ?? "" }
    if event.method == EventsLagged.method {
      session.terminal.line(session.text(.cliWatchLagged, String(event.params["missed"]?.intValue ?? 0)))
    } else {
      // Only UUIDs are long; a date or a setting's name says what it is.
      let id = part("id").utf8.count == 36 ? ShortID.text(part("id")) : part("id")
      session.terminal.line("\(session.terminal.faint(part("at")))  \(part("topic")) \(part("op"))  \(id)")
    }
  }
}
