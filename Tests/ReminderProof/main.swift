// Lives through every date of four decades in every zone of the database with two reminders a day, and compares each reminder that
// the rule gives, to the second, with what the oracle says. `ReminderProof [PART OF]` does every OF-th zone.
import CivilTime
import Glibc
import KindVerbAPI
import Reminders

/// Every zone's name and the bytes of its file, each kind of bytes once.
func zones() -> [(name: String, zone: Zone)] {
  var found: [(String, Zone)] = []
  var seen: Set<[UInt8]> = []
  var open = [""]
  while let directory = open.popLast() {
    guard let handle = opendir("/usr/share/zoneinfo/" + directory) else { continue }
    var names: [String] = []
    while let entry = readdir(handle) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    closedir(handle)
    for name in names.sorted() where !name.hasPrefix(".") && !["right", "posix"].contains(name) {
      let path = directory.isEmpty ? name : directory + "/" + name
      var status = stat()
      guard stat("/usr/share/zoneinfo/" + path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { open.append(path); continue }
      guard let bytes = bytes("/usr/share/zoneinfo/" + path), let zone = Zone(file: bytes), seen.insert(bytes).inserted else {
        continue
      }
      found.append((path, zone))
    }
  }
  return found.sorted { $0.0 < $1.0 }
}

func bytes(_ path: String) -> [UInt8]? {
  guard let stream = fopen(path, "r") else { return nil }
  defer { fclose(stream) }
  var bytes = [UInt8](repeating: 0, count: 1 << 18)
  let count = fread(&bytes, 1, bytes.count, stream)
  return Array(bytes[..<count])
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let (part, of) = arguments.count == 2 ? (arguments[0], arguments[1]) : (0, 1)
guard let first = CivilDate(iso: "2000-01-01"), let last = CivilDate(iso: "2040-12-31") else { exit(70) }
var checked = 0
var names = 0
var seed: UInt64 = 1
// Times that changes of clocks skip and double, by night and about midnight; the second pair is lived with long sleeps.
let lives = [("02:30", "21:00", false), ("00:15", "23:45", true), ("06:00", "01:30", true)]
for (index, entry) in zones().enumerated() where index % of == part {
  let oracle = Oracle(entry.name, days: first.day...last.day + 20)
  names += 1
  for (morning, evening, sleeps) in lives {
    guard let morning = TimeOfDay(morning), let evening = TimeOfDay(evening) else { exit(70) }
    seed += 1
    var proof = Proof(entry.zone, oracle, morning, evening, days: first.day...last.day, sleeps: sleeps, seed: seed)
    guard proof.run() else {
      print("in \(entry.name)")
      exit(1)
    }
    checked += proof.checked
  }
}
print("\(names) zones, \(checked) dates and slots: each exactly once, to the second")
