import Storage

/// Opening a store away from the loop, when it takes long.
enum OpeningAside {
  /// Opens the store on a thread of the pool; it is handed over when it is done.
  @concurrent
  static func run(
    _ opening: StoreOpening, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) -> sending Store {
    try opening.open(progress: progress)
  }
}
