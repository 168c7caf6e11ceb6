// Desktop notifications from outside: each line of standard input is a JSON object that asks for something, and each line of standard
// output one that tells what happened.
//   {"do":"show","summary":…,"body":…,"label":…}  {"do":"close"|"adopt","number":…,"service":…}  {"do":"listen"}  {"do":"ping"}
// The bus is the environment's. It ends with standard input.
import EventLoop
import Glibc
import JSON
import Systemd

@DaemonActor
private final class Notifier {
  private let notifications = DesktopNotifications()
  private var input: DescriptorSource?
  private var buffer: [UInt8] = []

  init() throws {
    notifications.onActivated = { [weak self] in
      self?.tell(["event": "activated", "number": .number(JSONNumber(Int($0.number))), "token": $1.map { .string($0) } ?? .null])
    }
    notifications.onClosed = { [weak self] in
      self?.tell(["event": "closed", "number": .number(JSONNumber(Int($0.number))), "ending": .string("\($1)")])
    }
    notifications.onServiceAppeared = { [weak self] in self?.tell(["event": "appeared"]) }
    input = try DescriptorSource(0, events: .readable) { [weak self] _ in self?.read() }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(0, &chunk, chunk.count)
    guard count > 0 else { return EventLoop.main.stop() }
    buffer += chunk[..<count]
    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      if let line = try? JSONParser.parse(Array(buffer[..<end])) { perform(line) }
      buffer.removeSubrange(...end)
    }
  }

  private func perform(_ line: JSON) {
    let text = { (name: String) in line[name]?.stringValue ?? "" }
    let standing = StandingNotification(number: UInt32(line["number"]?.intValue ?? 0), service: text("service"))
    switch text("do") {
    case "show":
      let notification = DesktopNotification(
        appName: "KindVerb", icon: text("icon"), summary: text("summary"), body: text("body"),
        defaultActionLabel: line["label"]?.stringValue, urgency: .normal, category: "x-kindverb.reminder")
      notifications.show(notification) { [weak self] in self?.tell(Self.description(of: $0)) }
    case "close": notifications.close(standing)
    case "adopt": notifications.adopt(standing)
    case "listen": notifications.listen()
    default: tell(["event": "pong", "turns": .number(JSONNumber(EventLoop.main.turns))])
    }
  }

  private static func description(of outcome: DesktopNotifications.Outcome) -> JSON {
    switch outcome {
    case .shown(let standing):
      ["event": "shown", "number": .number(JSONNumber(Int(standing.number))), "service": .string(standing.service)]
    case .notShown(let reason): ["event": "notShown", "reason": .string(reason.rawValue)]
    }
  }

  private func tell(_ event: JSON) {
    var writer = JSONWriter()
    writer.value(event)
    let line = writer.bytes + [UInt8(ascii: "\n")]
    _ = write(1, line, line.count)
  }
}

private let notifier = try DaemonActor.assumeIsolated { try Notifier() }
EventLoop.main.run()
withExtendedLifetime(notifier) {}
