import Storage

/// Opening a store that must be upgraded, away from the loop.
enum Upgrade {
  /// Opens and upgrades the store on a thread of the pool; it is handed over when it is done.
  @concurrent
  static func run(
    directory: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) -> sending Store {
    try StoreOpening(directory: directory).open(progress: progress)
  }
}
