import KindVerbAPI

/// What came of one attempt to send something.
public enum Delivery: Equatable, Sendable {
  /// It is there: the other side said so, or, without that, it can be nothing else.
  case delivered(isConfirmed: Bool = true)
  /// It will not be taken as it is, however often it is sent. `isAbsent` is whether it is certain that no attempt before has arrived.
  case refused(ErrorKey, isAbsent: Bool = false)
  /// The other side was, or may have been, reached, and did not confirm. `mayHaveArrived` is whether it may have taken it all the
  /// same; `retryAfterMs` is what it asked for.
  case unconfirmed(ErrorKey, mayHaveArrived: Bool, retryAfterMs: Int? = nil)
  /// Nothing has left the machine.
  case notReached(ErrorKey)
}

/// One thing that must leave the machine.
public struct OutboxItem: Equatable, Sendable {
  /// The row; rows order things by when they were handed in.
  public let id: Int64
  /// What kind of thing it is: the topic of its changes.
  public let kind: String
  /// The thing's own id.
  public let subject: String
  /// How far it is.
  public var state: DeliveryState
  /// Attempts so far.
  public var attempts: Int
  /// Attempts of this round that were answered, or left without an answer: what a round's number is counted by.
  public var tries: Int
  /// Whether an attempt may have arrived that nobody confirmed.
  public var mayHaveArrived: Bool
  /// Why the newest attempt came to nothing.
  public var lastError: ErrorKey?
  /// When the next attempt comes, in milliseconds since 1970: to be shown. The wait itself is on another clock.
  public var nextAttemptAt: Int64?
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Milliseconds since 1970.
  public var updatedAt: Int64

  /// Whether it waits for a network, and no attempt of this round has got any further.
  var isSearching: Bool { state == .queued && attempts > 0 && tries == 0 && !mayHaveArrived && lastError != nil }
}
