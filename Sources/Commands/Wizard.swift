import KindVerbAPI

/// The five questions as a machine without input or output: it takes what was typed and says what to do next.
struct Wizard: Equatable {
  /// The answers so far.
  struct Answers: Equatable {
    var situation: String?
    var feelings: [String] = []
    var hurt: String?
    var reflection: String?
    var need: String?
  }

  /// What a line of input led to.
  enum Outcome: Equatable {
    /// The answer is taken; it must be saved, and the next question asked.
    case answered
    /// The question before is asked again.
    case back
    /// The question is left out.
    case skipped
    /// The answer has more characters than allowed: so many.
    case tooLong(Int)
    /// The question needs an answer.
    case needsAnswer
    /// More feelings than a journal takes.
    case tooManyFeelings
    /// A number that the list of feelings does not have.
    case notInList(String)
    /// The person leaves; what is saved stays.
    case quit
  }

  /// What can be said instead of an answer.
  enum Command: String, CaseIterable { case back, skip, quit, help }

  /// What a typed line is.
  enum Line: Equatable {
    case text(String)
    case command(Command)
    /// It begins like a command and is none.
    case unknown(String)
  }

  /// A line that begins with a slash is a command, or a slip; `//` or a space before it make it text.
  static func meaning(of line: String) -> Line {
    if line.hasPrefix("//") { return .text(String(line.dropFirst())) }
    let text = trimmed(line)
    guard line.hasPrefix("/") else { return .text(text.hasPrefix("/") ? text : line) }
    return Command(rawValue: text.dropFirst().lowercased()).map { .command($0) } ?? .unknown(text)
  }

  /// Characters of one answer.
  static let limit = ContractLimits.AnswerText.maxLength
  /// The question: 1…5; 6 when all are answered.
  private(set) var step: Int
  private(set) var answers: Answers

  /// Begins at the first question, or goes on with what is there.
  init(step: Int = 1, answers: Answers = Answers()) {
    self.step = step
    self.answers = answers
  }

  /// Goes on with a journal whose first required question without an answer is `open`; nil if there is none.
  /// The daemon never calls question 4 open, since it may be left out; it was not asked yet where the fifth has no answer either.
  init(resuming answers: Answers, open: Int?) {
    self.init(step: open == 5 && answers.reflection == nil && answers.need == nil ? 4 : open ?? 5, answers: answers)
  }

  /// Goes back to a question that has just been answered.
  mutating func ask(again question: Int) { step = question }

  /// Whether every question has been asked.
  var isDone: Bool { step > 5 }

  /// The present answer of a question, as text.
  func answer(_ step: Int) -> String? {
    switch step {
    case 1: answers.situation
    case 2: answers.feelings.isEmpty ? nil : answers.feelings.joined(separator: ", ")
    case 3: answers.hurt
    case 4: answers.reflection
    default: answers.need
    }
  }

  /// Does what a command says; nil for one that the questions know nothing of.
  mutating func obey(_ command: Command) -> Outcome? {
    switch command {
    case .quit: return .quit
    case .help: return nil
    case .back:
      step = max(1, step - 1)
      return .back
    case .skip:
      guard step == 4 else { return .needsAnswer }
      answers.reflection = nil
      step += 1
      return .skipped
    }
  }

  /// Takes an answer, whatever it begins with. An empty one keeps the answer that is there.
  /// `labels` are the built-in feelings as the person reads them, in the order of their codes.
  mutating func take(answer: String, feelings builtIn: [String], labels: [String] = []) -> Outcome {
    let text = Self.trimmed(answer)
    if text.isEmpty {
      guard step == 4 || self.answer(step) != nil else { return .needsAnswer }
      step += 1
      return .skipped
    }
    return step == 2 ? takeFeelings(text, builtIn, labels) : takeText(text)
  }

  private mutating func takeText(_ text: String) -> Outcome {
    guard text.count <= Self.limit else { return .tooLong(text.count) }
    switch step {
    case 1: answers.situation = text
    case 3: answers.hurt = text
    case 4: answers.reflection = text
    default: answers.need = text
    }
    step += 1
    return .answered
  }

  /// Numbers choose built-in feelings, and so do their words; anything else is the person's own word. Commas part them, and spaces
  /// do between numbers. A number that chooses nothing is a slip, not a feeling.
  private mutating func takeFeelings(_ text: String, _ builtIn: [String], _ labels: [String]) -> Outcome {
    var chosen: [String] = []
    for part in text.split(whereSeparator: { ",、，;；\n".contains($0) }) {
      let word = Self.trimmed(String(part))
      if word.isEmpty { continue }
      let numbers = word.split(whereSeparator: \.isWhitespace).map { Self.number($0) }
      if !builtIn.isEmpty, numbers.allSatisfy({ $0 != nil }) {
        for number in numbers.compactMap({ $0 }) {
          guard let place = Int(number), (1...builtIn.count).contains(place) else { return .notInList(number) }
          chosen.append(builtIn[place - 1])
        }
      } else if let place = labels.firstIndex(where: { $0.lowercased() == word.lowercased() }), place < builtIn.count {
        chosen.append(builtIn[place])
      } else {
        chosen.append(word)
      }
    }
    var seen: Set<String> = []
    chosen = chosen.filter { seen.insert($0).inserted }
    if chosen.isEmpty { return .needsAnswer }
    if chosen.count > ContractLimits.Feelings.maxItems { return .tooManyFeelings }
    if let long = chosen.first(where: { $0.count > ContractLimits.FeelingText.maxLength }) { return .tooLong(long.count) }
    answers.feelings = chosen
    step += 1
    return .answered
  }

  /// A number as digits of ASCII, with its sign; nil where a text is no number. Keyboards of East Asia write wide digits.
  private static func number(_ text: Substring) -> String? {
    let sign = text.first.map { "-−－".contains($0) } ?? false
    let digits = text.dropFirst(sign ? 1 : 0).map { character in
      character.unicodeScalars.first?.properties.numericType == .decimal ? character.wholeNumberValue : nil
    }
    guard !digits.isEmpty, digits.allSatisfy({ $0 != nil }) else { return nil }
    return (sign ? "-" : "") + digits.compactMap { $0.map(String.init) }.joined()
  }

  static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
