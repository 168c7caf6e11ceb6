import EventLoop
import Glibc
import RPCServer
import Storage

// MARK: - What lies on the disk

extension DaemonProcess {
  /// The socket's file went: bound by us, it is made anew; made by systemd, only systemd can, so the daemon ends with a hint.
  func watchSocket() {
    let path = isActivated ? activatedPath : options.socketPath
    guard let path else { return }
    let mask = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)
    let watch = try? DirectoryWatch(entry: path, mask: mask) { [weak self] in self?.socketIsGone(path) }
    // A user has few inotify instances, and editors use them up.
    guard let watch else { return log.warning("\(public: path) cannot be watched: a socket that is removed is not made anew") }
    watches.append(watch)
  }

  private var activatedPath: String? {
    guard let activatedSocket else { return nil }
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(activatedSocket, $0, &length) }
    }
    guard result == 0 else { return nil }
    return withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private func socketIsGone(_ path: String) {
    guard dispatcher.state != .stopping, socket.map({ !$0.isInPlace() }) ?? (access(path, F_OK) != 0) else { return }
    guard let socket else {
      log.error("the socket \(public: path) was removed; restart its unit: systemctl --user restart kindverbd.socket")
      return stop(.socket)
    }
    do {
      server.stopListening()
      try socket.rebind()
      try server.listen(on: socket.descriptor)
      log.notice("the socket \(public: path) was removed and made anew")
    } catch {
      log.error("the socket \(public: path) was removed and cannot be made anew")
      stop(.socket)
    }
  }

  func watchStore() {
    let mask = UInt32(IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF)
    let watch = try? DirectoryWatch(options.dataDirectory, mask: mask) { [weak self] entry in
      if entry == nil || entry == "kindverb.db" || entry == "kindverb.db-wal" { self?.checkStore() }
    }
    if let watch { watches.append(watch) }
  }

  func checkStore() {
    guard let store = turn.store, takesWrites, !store.isInPlace() else { return }
    // What is written from here on would go into a file that nobody finds again.
    store.saveLog()
    stopWriting(store, because: "the database was replaced or removed: nothing is saved; restart the daemon")
  }
}
