import Glibc

/// The clock that nobody sets and that no suspend stops (CLOCK_BOOTTIME).
public enum BootClock {
  /// Milliseconds since the machine was started, with those in which it slept.
  public static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

extension BootClock {
  /// Which start of the machine this is: another word after each.
  public static func identity() -> String {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "unknown" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
