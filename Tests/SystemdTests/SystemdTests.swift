import Glibc
import Testing

@testable import Systemd

@Suite("The service manager's side", .serialized)
struct SystemdTests {
  @Test("log messages hold numbers, names and what is vouched for")
  func message() {
    let path = "/run/x"
    let message: LogMessage = "dropped \(3) of \("socket" as StaticString) at \(public: path)"
    #expect(message.text == "dropped 3 of socket at /run/x")
  }

  @Test("a credential is read without its last line feed; an empty one is none")
  func credentials() throws {
    var template = Array("/tmp/kindverb-credentials-XXXXXX".utf8CString)
    let directory = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    for (name, text) in [("key", "secret\n\n"), ("empty", ""), ("blank", "\n")] {
      let descriptor = creat("\(directory)/\(name)", 0o600)
      _ = write(descriptor, text, text.utf8.count)
      close(descriptor)
    }
    setenv("CREDENTIALS_DIRECTORY", directory, 1)
    defer { unsetenv("CREDENTIALS_DIRECTORY") }
    #expect(Credentials.read("key") == Array("secret\n".utf8))
    #expect(Credentials.read("empty") == nil)
    #expect(Credentials.read("blank") == nil)
    #expect(Credentials.read("missing") == nil)
    #expect(Credentials.read("../key") == nil)
    for name in ["key", "empty", "blank"] { unlink("\(directory)/\(name)") }
    rmdir(directory)
  }

  @Test("variables meant for another process are not ours")
  func foreignActivation() throws {
    setenv("LISTEN_PID", "1", 1)
    setenv("LISTEN_FDS", "1", 1)
    #expect(try Activation.socket() == nil)
    #expect(getenv("LISTEN_FDS") == nil)
  }

  @Test("the manager is told over its socket")
  func notification() throws {
    var template = Array("/tmp/kindverb-notify-XXXXXX".utf8CString)
    let directory = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    let path = directory + "/notify"
    let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    #expect(bound == 0)
    setenv("NOTIFY_SOCKET", path, 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    Service.ready(status: "100% ready")
    Service.reloading()
    var buffer = [UInt8](repeating: 0, count: 200)
    var count = recv(receiver, &buffer, buffer.count, 0)
    #expect(String(decoding: buffer[..<count], as: UTF8.self) == "READY=1\nSTATUS=100% ready")
    count = recv(receiver, &buffer, buffer.count, 0)
    #expect(String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    close(receiver)
    unlink(path)
    rmdir(directory)
  }
}
