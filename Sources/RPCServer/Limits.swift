/// Everything that can grow has a limit here; `system.info` tells them.
public struct ServerLimits: Sendable {
  /// Connections at once; one more is told so and closed.
  public var connections = 256
  /// The longest request line, in bytes.
  public var requestBytes = 1 << 20
  /// Output that waits on one connection before the daemon stops reading from it, in bytes.
  public var outputBytes = 4 << 20
  /// Output and unfinished answers that wait on all connections together before batches are run one after the other instead of side
  /// by side, in bytes.
  public var waitingBytes = 64 << 20
  /// Complete requests that wait on one connection before the daemon stops reading from it, in bytes.
  public var inputBytes = 2 << 20
  /// How long output may wait without the peer taking a byte before the connection is dropped.
  public var stalledOutputMilliseconds = 10_000
  /// How long the beginning of a line may wait for its end before the connection is dropped.
  public var partialLineMilliseconds = 60_000
  /// Lines of one connection in one turn; the calls of a batch are limited by the turn's time alone.
  public var linesPerTurn = 32
  /// How long a turn takes new lines before it commits and answers.
  public var turnMilliseconds = 4
  /// How often a turn that has something to commit looks for lines that came meanwhile.
  public var looksBeforeCommit = 4

  /// The house's limits.
  public init() {}
}
