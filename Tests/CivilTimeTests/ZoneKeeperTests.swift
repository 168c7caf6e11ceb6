import CivilTime
import Glibc
import Synchronization
import Testing

@Suite("A zone that is kept while it is told the same")
struct ZoneKeeperTests {
  private final class Place: Sendable {
    let directory: String
    let told = Mutex<String?>(nil)
    var localtime: String { directory + "/localtime" }

    init() throws {
      var template = Array("/tmp/kindverb-zone-XXXXXX".utf8CString)
      directory = try #require(
        template.withUnsafeMutableBufferPointer { buffer in
          buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        })
    }

    deinit {
      unlink(localtime)
      unlink(directory + "/copy")
      rmdir(directory)
    }

    /// What `timedatectl` does: a new link in the place of the old one.
    func link(_ zone: String) {
      unlink(localtime)
      symlink("/usr/share/zoneinfo/" + zone, localtime)
    }

    /// What `cp` does: other words in the same file.
    func copy(_ zone: String) throws {
      let input = open("/usr/share/zoneinfo/" + zone, O_RDONLY)
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(input, &bytes, bytes.count)
      close(input)
      let output = open(localtime, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      try #require(write(output, bytes, count) == count)
      close(output)
    }

    /// When the file was last touched in any way, in nanoseconds.
    var changed: Int {
      var status = stat()
      stat(localtime, &status)
      return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
    }

    /// Lets the file look as if it had been written long ago.
    func age() {
      var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, localtime, &times, 0)
    }
  }

  @Test("the first answer after any change is the new one's")
  func following() throws {
    let place = try Place()
    let source = ZoneSource(variable: { [unowned place] in place.told.withLock { $0 } }, localtime: place.localtime)
    let start = ContinuousClock.now
    var elapsed = Duration.zero
    let keeper = ZoneKeeper(source, elapsed: { start + elapsed })
    func offset() -> Int { keeper.read().zone.offset(at: 1_777_600_000_000) / 3_600 }
    #expect(offset() == 0, "no file is UTC")
    for (zone, hours) in [("Asia/Seoul", 9), ("America/New_York", -4), ("Asia/Tokyo", 9), ("Europe/Berlin", 2)] {
      place.link(zone)
      for _ in 0..<3 { #expect(offset() == hours) }
    }
    // In the middle of being replaced it is not there, or half written; only if that lasts it is believed.
    unlink(place.localtime)
    #expect(offset() == 2 && keeper.isInDoubt)
    mkdir(place.localtime, 0o700)
    #expect(offset() == 2 && keeper.read().problem == nil)
    elapsed = .seconds(3)
    #expect(offset() == 0 && keeper.read().problem == .unreadableFile && !keeper.isInDoubt)
    rmdir(place.localtime)
    #expect(offset() == 0 && keeper.read().problem == .missingFile)
    for (zone, hours) in [("Asia/Seoul", 9), ("Asia/Hong_Kong", 8), ("Asia/Tokyo", 9), ("America/Chicago", -5)] {
      // Written into the same file, again and again within one tick of its clock.
      for _ in 0..<3 {
        try place.copy("UTC")
        #expect(offset() == 0)
        try place.copy(zone)
        #expect(offset() == hours)
        place.age()
        #expect(offset() == hours)
      }
    }
    place.told.withLock { $0 = "Asia/Kolkata" }
    #expect(keeper.read().zone.offset(at: 0) == 19_800)
    place.told.withLock { $0 = "KST-9" }
    #expect(offset() == 9)
    place.told.withLock { $0 = "No/Such" }
    #expect(offset() == -5 && keeper.read().problem == .unknownZone)
    place.told.withLock { $0 = nil }
    #expect(offset() == -5 && keeper.read().problem == nil)
  }

  @Test("a file is kept once it has been left alone for some seconds, and known again only by all that marks it")
  func keeping() throws {
    let place = try Place()
    let looks = Mutex(0)
    let source = ZoneSource(
      variable: {
        looks.withLock { $0 += 1 }
        return nil
      }, localtime: place.localtime)
    try place.copy("Etc/GMT-9")
    place.age()
    var ahead = 0
    let keeper = ZoneKeeper(source) { time(nil) + ahead }
    /// How often it was looked at where the zone is told for one more answer.
    func cost() -> Int {
      let before = looks.withLock { $0 }
      _ = keeper.read()
      return looks.withLock { $0 } - before
    }
    #expect(cost() > 1 && cost() > 1, "touched just now, it is read each time")
    ahead = 10
    #expect(cost() > 1 && cost() == 1 && cost() == 1)
    // Of the same size, and dated back: only the moment of the change itself tells.
    #expect(keeper.read().zone.offset(at: 1_777_600_000_000) == 9 * 3_600)
    let before = place.changed
    // The clock that files are marked by ticks every few milliseconds.
    repeat {
      try place.copy("Etc/GMT-8")
      place.age()
    } while place.changed == before
    #expect(keeper.read().zone.offset(at: 1_777_600_000_000) == 8 * 3_600)
  }
}
