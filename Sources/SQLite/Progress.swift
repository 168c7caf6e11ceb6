import CSQLite

/// Keeps a progress closure alive for as long as SQLite may call it.
final class ProgressBox {
  let shouldStop: () -> Bool
  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}

extension Connection {
  /// Calls a closure every so many of SQLite's machine steps while a statement runs; a closure that answers true makes
  /// the statement fail as interrupted. Nil takes the closure away. It must not use the connection.
  public func onProgress(every steps: Int, _ shouldStop: (() -> Bool)?) {
    guard let shouldStop else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      progress = nil
      return
    }
    let box = ProgressBox(shouldStop)
    progress = box
    sqlite3_progress_handler(
      handle, Int32(clamping: steps),
      { context in
        guard let context else { return 0 }
        return Unmanaged<ProgressBox>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
      }, Unmanaged.passUnretained(box).toOpaque())
  }

  /// Makes whatever runs on this connection fail as interrupted at its next chance.
  public func interrupt() {
    sqlite3_interrupt(handle)
  }
}
