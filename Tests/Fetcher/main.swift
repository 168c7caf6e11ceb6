// Requests over HTTP from outside: each line of standard input is a JSON object that asks for something, and each line of standard
// output one that tells what happened.
//   {"do":"client","allowed":[URL…],"ca":FILE,"kept":s}  {"do":"send","id":…,"method":"GET","url":…,"headers":{…},"secret":{…},
//   "body":…,"times":…,"connect":ms,"firstByte":ms,"idle":ms,"total":ms,"bytes":…,"pieces":true}  {"do":"cancel","id":…}  {"do":"cancelAll"}
//   {"do":"beat"}: from here on the loop's lateness is measured, with a timer of 5 ms  {"do":"still"}: no more  {"do":"ping"}
// The proxies are the environment's. It ends with standard input.
import EventLoop
import Glibc
import HTTP
import JSON

@DaemonActor
private final class Fetcher {
  private var client: HTTPClient?
  private var input: DescriptorSource?
  private var buffer: [UInt8] = []
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var beat: TimerSource?
  private var beatAt = 0
  private var waitedBefore = 0
  private var lateness = 0
  private static let every = 5

  init() throws {
    input = try DescriptorSource(0, events: .readable) { [weak self] _ in self?.read() }
    beat = try TimerSource { [weak self] in self?.tick() }
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
    let id = line["id"]?.intValue ?? 0
    switch line["do"]?.stringValue {
    case "client":
      let allowed = (line["allowed"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { HTTPOrigin($0) } }
      client = HTTPClient(
        allowed: Set(allowed), trust: line["ca"]?.stringValue.map { .file($0) } ?? .system,
        keptSeconds: line["kept"]?.intValue ?? 60)
    case "send": tasks[id] = Task { await send(id, line) }
    case "cancel": tasks[id]?.cancel()
    case "cancelAll": client?.cancelAll()
    case "beat":
      lateness = 0
      arm()
    case "still": beat?.disarm()
    default:
      tell([
        "event": "pong", "turns": .number(JSONNumber(EventLoop.main.turns)), "lateness": .number(JSONNumber(lateness)),
        "inFlight": .number(JSONNumber(client?.inFlight ?? 0)),
      ])
    }
  }

  private func arm() {
    beatAt = Self.now() + Self.every
    waitedBefore = Self.waitedForProcessor()
    beat?.arm(afterMilliseconds: Self.every)
  }

  private func tick() {
    lateness = max(lateness, Self.now() - beatAt - (Self.waitedForProcessor() - waitedBefore))
    arm()
  }

  private func send(_ id: Int, _ line: JSON) async {
    guard let client else { return }
    let start = Self.now()
    var event: [(String, JSON)] = [("id", .number(JSONNumber(id)))]
    do {
      let wantsPieces = line["pieces"]?.boolValue ?? false
      let response = try await client.send(Self.request(line)) { [weak self] in
        if wantsPieces {
          self?.tell(["event": "piece", "id": .number(JSONNumber(id)), "text": .string(String(decoding: $0, as: UTF8.self))])
        }
      }
      let headers = response.headers.fields.map { JSON.array([.string($0.name), .string($0.value)]) }
      event += [
        ("event", "answer"), ("status", .number(JSONNumber(response.status))), ("headers", .array(headers)),
        ("size", .number(JSONNumber(response.body.count))),
        ("body", .string(String(decoding: response.body.prefix(4_096), as: UTF8.self))),
        ("described", .string("\(response)")),
      ]
    } catch {
      event += [
        ("event", "failure"), ("reason", .string(error.reason.rawValue)), ("mayHaveBeenSent", .bool(error.mayHaveBeenSent)),
        ("status", error.status.map { .number(JSONNumber($0)) } ?? .null),
        ("described", .string("\(error) \(String(reflecting: error))")),
      ]
    }
    tell(.object(JSONObject(event + [("ms", .number(JSONNumber(Self.now() - start)))])))
    tasks[id] = nil
  }

  private static func request(_ line: JSON) -> HTTPRequest {
    let pairs = { (name: String) in (line[name]?.objectValue?.members ?? []).map { ($0.name, $0.value.stringValue ?? "") } }
    let number = { (name: String, standard: Int) in line[name]?.intValue ?? standard }
    let limits = HTTPLimits(
      connect: number("connect", 5_000), firstByte: number("firstByte", 10_000), idle: number("idle", 10_000),
      total: number("total", 20_000), responseBytes: number("bytes", 1 << 20))
    // A large body is one byte many times.
    let text = Array((line["body"]?.stringValue ?? "").utf8)
    let body = line["times"]?.intValue.flatMap { times in text.first.map { [UInt8](repeating: $0, count: times) } } ?? text
    return HTTPRequest(
      line["method"]?.stringValue == "POST" ? .post : .get, line["url"]?.stringValue ?? "", headers: pairs("headers"),
      secretHeaders: pairs("secret").map { ($0.0, Secret($0.1)) }, body: body, limits: limits)
  }

  private func tell(_ event: JSON) {
    var writer = JSONWriter()
    writer.value(event)
    let line = writer.bytes + [UInt8(ascii: "\n")]
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Milliseconds that this thread was ready to run and another one ran: no matter of the loop's.
  private static func waitedForProcessor() -> Int {
    var text = [UInt8](repeating: 0, count: 128)
    let count = pread(schedule, &text, text.count, 0)
    let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    return fields.count > 1 ? (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0) / 1_000_000 : 0
  }

  private static let schedule = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

signal(SIGPIPE, SIG_IGN)
private let fetcher = try DaemonActor.assumeIsolated { try Fetcher() }
EventLoop.main.run()
withExtendedLifetime(fetcher) {}
