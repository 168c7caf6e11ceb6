import KindVerbAPI
import Letters

/// How the letter speaks to the other, as an AI is told: the same forms that the letters without one have.
struct AISpeech {
  /// The sentences of the instruction.
  let text: String

  init(_ wish: LetterWish, _ material: AIMaterial) {
    let isSafe = !material.speaksOfDanger
    text =
      switch wish.language {
      case .en: Self.english(wish.register)
      case .ko: Self.korean(wish.register, material.relationship, isSafe: isSafe)
      case .ja: Self.japanese(wish.register, isSafe: isSafe)
      case .zhHans: Self.chinese(wish.register, material)
      }
  }

  private static func english(_ register: Register) -> String {
    let level =
      register == .casual
      ? "Speak plainly and informally, with contractions (I'm, don't)."
      : "Speak politely, as one does to someone respected, and without contractions (I am, do not)."
    return level + " In words of your own say neither \"but\" nor \"however\", no \"dear\" or \"honey\", no \"as your …\"."
  }

  /// How one says sorry and thanks is told only where a letter may.
  private static func korean(_ register: Register, _ type: ConflictType, isSafe: Bool) -> String {
    let (level, courtesies) =
      switch (register, type) {
      case (.casual, _): ("해체 (반말) throughout, with 나 and 내", "미안해, 고마워")
      case (.polite, .inLaws): ("합니다체 with -시- throughout, with 저 and 제", "죄송합니다, 감사합니다; a question may end in -(으)ㄹ까요")
      case (.polite, .parentChild): ("해요체 with -시- throughout, with 저 and 제", "죄송해요, 감사해요")
      case (.polite, _): ("해요체 with -시- throughout, with 저 and 제", "미안해요, 고마워요")
      }
    return "Speak in \(level) for the writer\(isSafe ? ": \(courtesies)." : ".")"
      + " Use no word for \"you\" at all (no 너, 네, 니, 당신, 그대, 자네, 자기): Korean leaves it out."
      + " In words of your own no 하지만, 그런데 or 그렇지만, and no -해라, -지 마, -잖아, -거든, 이해해 줘 or 용서해 줘."
  }

  private static func japanese(_ register: Register, isSafe: Bool) -> String {
    let level =
      register == .casual
      ? "Speak in the plain form (タメ口, with ね, よ, んだ) throughout, with no word for the writer (no 僕, 俺, 私)."
      : "Speak in です・ます throughout, with 私 for the writer."
    let asking = register == .casual ? "〜てもらえるかな" : "〜ていただけませんか"
    return level + " Use no word for \"you\" (no あなた, 君, お前, そっち, あんた)."
      + (isSafe ? " Word the request with \(asking), never with 〜てほしい." : "")
      + " In words of your own no でも, けど or しかし, no 〜べき and no 〜のに about the other, no 拝啓 or 敬具."
  }

  /// 您 between friends, couples and siblings sounds cold, so politeness alone does not bring it.
  private static func chinese(_ register: Register, _ material: AIMaterial) -> String {
    let isSenior = material.relationship == .parentChild || material.relationship == .inLaws
    let saysNin = material.saysNin || (register == .polite && isSenior)
    let level = register == .casual ? "Speak plainly and informally." : "Speak politely, as one does to someone respected."
    return level + (saysNin ? " Say 您 throughout, never 你 or 您们." : " Say 你 throughout, never 您.")
      + " In words of your own no 但是, 可是 or 不过, no 你让我, 请你理解, 求你, 必须 or 应该, no 亲启 or 此致, and no 哈哈, 呢 or 哦."
  }

  /// Words such as "ignored" say what the other did: they stay, as the writer's own reading.
  static func framing(_ wish: LetterWish, _ type: ConflictType) -> String {
    let sentence =
      switch (wish.language, wish.register) {
      case (.en, .casual): "That’s how it felt from my side."
      case (.en, .polite): "That is how it felt from my side."
      case (.ko, .casual): "내가 그렇게 받아들였다는 뜻이야."
      case (.ko, .polite): type == .inLaws ? "제가 그렇게 받아들였다는 뜻입니다." : "제가 그렇게 받아들였다는 뜻이에요."
      case (.ja, .casual): "自分がそう受け取った、ということなんだ。"
      case (.ja, .polite): "私がそう受け取った、ということです。"
      case (.zhHans, _): "这只是我当时的理解。"
      }
    return
      "Where one judges what the other did (such as ignored, betrayed, used), it is the writer's reading and no fact: follow it "
      + "with a sentence such as “\(sentence)”"
  }
}
