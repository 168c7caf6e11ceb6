/// When the lines that wait in an input came: one note for each piece of the stream that ended a line.
struct Arrivals {
  /// More notes are not kept: a piece beyond them counts as having come with the one before it.
  static let most = 64

  private var notes: [(end: Int, time: Int)] = []
  private var received = 0
  private var newest = 0

  /// A piece came, at `time`, while `waiting` bytes had come and were not taken yet.
  mutating func note(_ piece: some BidirectionalCollection<UInt8>, at time: Int, waiting: Int) {
    let taken = received - waiting
    // The line that was taken last may still be asked about: a batch goes on while more comes.
    notes.removeAll { $0.end < taken }
    received += piece.count
    newest = time
    // Only the end of a line matters: a line has come when its last byte has.
    guard piece.last == UInt8(ascii: "\n") || piece.contains(UInt8(ascii: "\n")) else { return }
    if notes.count < Self.most {
      notes.append((received, time))
    } else {
      notes[notes.count - 1].end = received
    }
  }

  /// When the line came that was taken last; `waiting` bytes have come after it.
  func time(waiting: Int) -> Int { notes.first { $0.end >= received - waiting }?.time ?? newest }
}
