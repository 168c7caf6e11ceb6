/// One line being typed: takes bytes of a terminal in raw mode and says what became of them. Knows nothing of the screen.
struct LineEditor {
  /// What a byte led to.
  enum Event: Equatable {
    /// More bytes are needed, or the key means nothing here.
    case nothing
    /// The line or the cursor changed.
    case changed
    /// Enter.
    case line
    /// A line feed inside of pasted text.
    case pastedLine
    /// Ctrl-C.
    case interrupted
    /// Ctrl-D in an empty line.
    case end
    /// Ctrl-Z.
    case suspended
  }

  /// What stands before the cursor, and after it.
  private(set) var before = ""
  private(set) var after = ""
  /// Whether something in the line was no UTF-8: the line is then less than what was typed or pasted.
  private(set) var isDamaged = false
  private var isPasting = false
  private var character: [UInt8] = []
  private var sequence: [UInt8] = []
  /// Whether the last byte of pasted text was a carriage return: a line feed after it belongs to it.
  private var sawReturn = false

  /// The whole line.
  var text: String { before + after }

  /// Begins a new line; what a paste has still to bring goes into it.
  mutating func clear() {
    before = ""
    after = ""
    isDamaged = false
  }

  /// Takes one byte.
  mutating func take(_ byte: UInt8) -> Event {
    if !sequence.isEmpty { return takeEscape(byte) }
    if byte >= 0x80 || !character.isEmpty { return takeCharacter(byte) }
    let followsReturn = sawReturn
    sawReturn = false
    switch byte {
    case 0x0D, 0x0A:
      if isPasting, byte == 0x0A, followsReturn { return .nothing }
      sawReturn = isPasting && byte == 0x0D
      // The lines of a damaged text are no answer: only Enter ends it, and then it is refused whole.
      if isPasting, isDamaged { return .nothing }
      return isPasting ? .pastedLine : .line
    case 0x1B:
      sequence = [byte]
      return .nothing
    case 0x09: return insert(" ")
    case 0x20...0x7E: return insert(Unicode.Scalar(byte))
    // Other control characters in pasted text are no keys.
    case _ where isPasting: return .nothing
    default: return takeControl(byte)
    }
  }

  private mutating func takeControl(_ byte: UInt8) -> Event {
    switch byte {
    case 0x03: return .interrupted
    case 0x1A: return .suspended
    case 0x04: return text.isEmpty ? .end : deleteForward()
    case 0x7F, 0x08:
      if before.isEmpty { return .nothing }
      before.removeLast()
    case 0x01: toStart()
    case 0x05: toEnd()
    case 0x02: return left()
    case 0x06: return right()
    case 0x15: before = ""
    case 0x0B: after = ""
    case 0x17:
      while before.last?.isWhitespace == true { before.removeLast() }
      while let last = before.last, !last.isWhitespace { before.removeLast() }
    case 0x0C: break
    default: return .nothing
    }
    // Everything was rubbed out.
    if text.isEmpty { isDamaged = false }
    return .changed
  }

  /// A byte of a character of UTF-8; one that is none is dropped, and remembered.
  private mutating func takeCharacter(_ byte: UInt8) -> Event {
    if byte & 0xC0 != 0x80 {
      // A new character begins; an unfinished one before it is dropped.
      if !character.isEmpty { isDamaged = true }
      character = []
      if byte < 0x80 { return take(byte) }
    }
    character.append(byte)
    let lead = character[0]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    if character.count < length { return .nothing }
    defer { character = [] }
    guard let scalar = String(validating: character, as: UTF8.self)?.unicodeScalars.first else {
      isDamaged = true
      return .nothing
    }
    return scalar.properties.generalCategory == .control ? .nothing : insert(scalar)
  }

  /// A byte of an escape sequence: `ESC [ … final` or `ESC O final`.
  private mutating func takeEscape(_ byte: UInt8) -> Event {
    sequence.append(byte)
    if sequence.count == 2 {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return .nothing }
      // Escape by itself, and then a key.
      sequence = byte == 0x1B ? [byte] : []
      return byte == 0x1B ? .nothing : take(byte)
    }
    guard (0x40...0x7E).contains(byte) || sequence.count > 16 else { return .nothing }
    let name = String(decoding: sequence.dropFirst(2), as: UTF8.self)
    sequence = []
    switch name {
    case "200~": isPasting = true
    case "201~":
      isPasting = false
      sawReturn = false
    case "D": return left()
    case "C": return right()
    case "H", "1~", "7~": toStart()
    case "F", "4~", "8~": toEnd()
    case "3~": return deleteForward()
    default: return .nothing
    }
    return .changed
  }

  private mutating func insert(_ scalar: Unicode.Scalar) -> Event {
    before.unicodeScalars.append(scalar)
    return .changed
  }

  private mutating func deleteForward() -> Event {
    if after.isEmpty { return .nothing }
    after.removeFirst()
    return .changed
  }

  private mutating func left() -> Event {
    guard let last = before.popLast() else { return .nothing }
    after = String(last) + after
    return .changed
  }

  private mutating func right() -> Event {
    guard let first = after.first else { return .nothing }
    after.removeFirst()
    before.append(first)
    return .changed
  }

  private mutating func toStart() {
    after = before + after
    before = ""
  }

  /// Puts the cursor behind the last character.
  mutating func toEnd() {
    before += after
    after = ""
  }
}

/// Where characters come to stand in a terminal that breaks lines at its width.
struct ScreenPlace: Equatable {
  /// The row, counted from the row of the prompt, and the cell in it.
  var row = 0
  var column = 0

  /// The place after a text. A wide character that does not fit goes to the next row, and a full row is left at once.
  func after(_ text: String, width: Int) -> ScreenPlace {
    var place = self
    for character in text {
      let cells = cellWidth(character)
      if place.column + cells > width {
        place.row += 1
        place.column = 0
      }
      place.column += cells
      if place.column >= width {
        place.row += 1
        place.column = 0
      }
    }
    return place
  }
}
