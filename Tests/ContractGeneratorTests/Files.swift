import Foundation

@testable import ContractGenerator

/// A directory of its own for one test.
struct Files {
  let directory: String

  /// Runs `body` with a new directory, which goes afterwards.
  static func with<Value>(_ body: (Files) throws -> Value) throws -> Value {
    let url = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(Files(directory: url.path))
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = "\(directory)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}

/// The project's own directory.
let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// What a refusal says; nil if nothing was refused.
func refusal(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return "\(error)" }
}
