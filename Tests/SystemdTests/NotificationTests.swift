import EventLoop
import Glibc
import TestLoop
import Testing

@testable import Systemd

@Suite("Desktop notifications", .serialized, .timeLimit(.minutes(1)))
struct NotificationTests {
  init() { precondition(loopThread) }

  @Test("a line has no control characters, and nothing that the bus refuses")
  func line() {
    let noncharacters = String(decoding: [0xFDD0, 0x78, 0x1FFFF], as: UTF32.self)
    #expect(NotificationText.line("a\u{0}b\nc\td\u{1B}[1m\u{7F}\u{9B}") == "ab c d[1m")
    #expect(NotificationText.line(noncharacters) == "\u{FFFD}x\u{FFFD}")
    #expect(NotificationText.line("엄마 👨‍👩‍👧‍👦 🇰🇷 \u{202E}") == "엄마 👨‍👩‍👧‍👦 🇰🇷 \u{202E}")
  }

  @Test("several lines keep their line feeds, however they are written")
  func lines() { #expect(NotificationText.lines("a\r\nb\n\rc\n") == "a\nb\nc\n") }

  @Test("three characters mean something to a service that reads markup; each is escaped once")
  func escaped() {
    #expect(
      NotificationText.escaped("엄마 <3 & 아빠 <b>최고</b> &lt; \"'")
        == "엄마 &lt;3 &amp; 아빠 &lt;b&gt;최고&lt;/b&gt; &amp;lt; \"'")
    // A combining character behind one of them does not hide it.
    #expect(NotificationText.escaped("<\u{301}") == "&lt;\u{301}")
  }

  @Test("only sockets of this machine are tried: nothing is looked up, no program is started")
  func addresses() {
    #expect(BusAddress.local("unix:path=/run/user/1000/bus,guid=12") == "unix:path=/run/user/1000/bus,guid=12")
    #expect(BusAddress.local("tcp:host=example.com;unix:abstract=a;unixexec:path=/bin/x;autolaunch:") == "unix:abstract=a")
    #expect(BusAddress.local("tcp:host=example.com") == "")
    #expect(BusAddress.local("") == "")
  }

  @Test("without a bus the outcome comes after the question, never inside it") @DaemonActor
  func noBus() async {
    let notifications = DesktopNotifications(address: "unix:path=/nowhere/bus")
    var isAsked = false
    let outcome = await withCheckedContinuation { continuation in
      notifications.show(DesktopNotification(appName: "KindVerb", summary: "a", body: "b")) {
        #expect(isAsked)
        continuation.resume(returning: $0)
      }
      isAsked = true
    }
    #expect(outcome == .notShown(.noBus))
    #expect(notifications.bus.state == .absent)
  }

  @Test("everything goes with its owner") @DaemonActor
  func lifetime() async {
    weak var bus: SessionBus?
    do {
      let notifications = DesktopNotifications(address: "unix:path=/nowhere/bus")
      notifications.listen()
      _ = await withCheckedContinuation { continuation in
        notifications.show(DesktopNotification(appName: "KindVerb", summary: "a", body: "b")) {
          continuation.resume(returning: $0)
        }
      }
      bus = notifications.bus
      #expect(bus != nil)
    }
    #expect(bus == nil)
  }

  /// What ends with its owner inside a callback of libsystemd's must not be called back once more.
  @Test("what a handler on the loop lets go is gone at once, not in a later turn") @DaemonActor
  func deinitialization() async throws {
    @DaemonActor final class Owned {
      let log: @DaemonActor () -> Void
      init(_ log: @escaping @DaemonActor () -> Void) { self.log = log }
      isolated deinit { log() }
    }
    var timer: TimerSource?
    let isGoneAtOnce = try await withCheckedThrowingContinuation { continuation in
      do {
        timer = try TimerSource {
          var isGone = false
          var owned: Owned? = Owned { isGone = true }
          withExtendedLifetime(owned) {}
          owned = nil
          continuation.resume(returning: isGone)
        }
        timer?.arm(afterMilliseconds: 0)
      } catch { continuation.resume(throwing: error) }
    }
    #expect(isGoneAtOnce)
    timer?.cancel()
  }
}
