import Foundation
import Glibc
import Synchronization
import Testing

@testable import RPCServer

/// Where the tests' directories lie; all goes at the end of the process.
private let scratch: String = {
  var template = Array("/tmp/kindverb-socket-XXXXXX".utf8CString)
  let made = template.withUnsafeMutableBufferPointer { buffer in
    buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
  }
  atexit { try? FileManager.default.removeItem(atPath: scratch) }
  return made ?? "/nonexistent"
}()

private let directories = Atomic<Int>(0)

/// A fresh directory, 0700, with a short path.
func temporaryDirectory() throws -> String {
  let path = "\(scratch)/\(directories.add(1, ordering: .relaxed).newValue)"
  try #require(mkdir(path, 0o700) == 0)
  return path
}

private func mode(_ path: String) -> mode_t {
  var status = stat()
  return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}

@Suite("The socket's path")
struct SocketPathTests {
  @Test("the directory is 0700 and the socket 0600, whatever the mask")
  func modes() throws {
    let base = try temporaryDirectory()
    let path = base + "/run/s"
    let socket = try SocketPath(path)
    #expect(mode(base + "/run") == 0o700)
    #expect(mode(path) == 0o600)
    #expect(mode(path + ".lock") == 0o600)
    socket.remove()
    #expect(access(path, F_OK) != 0)
  }

  @Test("a path that is too long is named with its limit; 107 bytes work")
  func length() throws {
    let base = try temporaryDirectory()
    let fits = base + "/" + String(repeating: "x", count: 106 - base.utf8.count)
    try SocketPath(fits).remove()
    #expect(throws: SocketPathError.tooLong(path: fits + "x", limit: 107)) { try SocketPath(fits + "x") }
  }

  @Test("a live socket is left alone, a stale one replaced")
  func stale() throws {
    let path = try temporaryDirectory() + "/s"
    let first = try SocketPath(path)
    var before = stat()
    lstat(path, &before)
    #expect(throws: SocketPathError.alreadyRunning(path: path, pid: getpid())) { try SocketPath(path) }
    var after = stat()
    lstat(path, &after)
    #expect(before.st_ino == after.st_ino)
    // As kill -9 leaves it: nobody listens, the file stays.
    close(first.descriptor)
    unlink(path + ".lock")
    let second = try SocketPath(path)
    #expect(second.isInPlace())
    second.remove()
  }

  @Test("what is no socket is never touched", arguments: ["file", "directory", "symlink"])
  func occupied(_ kind: String) throws {
    let path = try temporaryDirectory() + "/s"
    switch kind {
    case "file": close(creat(path, 0o600))
    case "directory": mkdir(path, 0o700)
    default: symlink("/nowhere", path)
    }
    #expect(throws: SocketPathError.occupied(path: path, kind: kind)) { try SocketPath(path) }
    var status = stat()
    #expect(lstat(path, &status) == 0)
  }

  @Test("a directory that others may write to is refused")
  func openDirectory() throws {
    let base = try temporaryDirectory()
    chmod(base, 0o777)
    #expect(throws: SocketPathError.notOurs(path: base)) { try SocketPath(base + "/s") }
  }

  @Test("a socket whose file went is bound anew")
  func rebind() throws {
    let path = try temporaryDirectory() + "/s"
    let socket = try SocketPath(path)
    unlink(path)
    #expect(!socket.isInPlace())
    try socket.rebind()
    #expect(socket.isInPlace())
    // Another socket in its place is not ours, and is not taken away.
    unlink(path)
    let other = try SocketPath(path + "2")
    rename(path + "2", path)
    #expect(!socket.isInPlace())
    socket.remove()
    #expect(access(path, F_OK) == 0)
    other.remove()
  }
}

@Suite("When lines came")
struct ArrivalTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("a line has come when its end has, whatever came after it")
  func each() {
    var arrivals = Arrivals()
    // Two lines and half of a third, its end with a fourth, and a piece without any.
    arrivals.note(bytes("a\nb\nc"), at: 10, waiting: 0)
    arrivals.note(bytes("c\nd\n"), at: 20, waiting: 5)
    arrivals.note(bytes("e"), at: 30, waiting: 9)
    #expect([8, 6, 3, 1].map { arrivals.time(waiting: $0) } == [10, 10, 20, 20])
    // The end of the stream ends the last line, which came with the newest piece.
    #expect(arrivals.time(waiting: 0) == 30)
  }

  @Test("what was taken is forgotten, and what waits is not")
  func forgotten() {
    var arrivals = Arrivals()
    for time in 0..<1_000 {
      arrivals.note(bytes("line\n"), at: time, waiting: 0)
      #expect(arrivals.time(waiting: 0) == time)
    }
    arrivals.note(bytes("more\n"), at: 2_000, waiting: 5)
    #expect(arrivals.time(waiting: 5) == 999 && arrivals.time(waiting: 0) == 2_000)
  }

  @Test("of very many pieces the last count as older than they are, never as newer")
  func most() {
    var arrivals = Arrivals()
    for number in 0..<1_000 { arrivals.note(bytes("x\n"), at: number, waiting: 2 * number) }
    for number in 0..<1_000 {
      #expect(arrivals.time(waiting: 2 * (999 - number)) == min(number, Arrivals.most - 1))
    }
  }
}
