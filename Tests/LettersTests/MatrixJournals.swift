@testable import Letters

/// A journal of the matrix and what a reader knows about it.
struct MatrixJournal: Sendable {
  let name: String
  let answers: LetterAnswers
  /// What follows the own part; nil where there is none.
  let afterLine: AfterLine?

  fileprivate init(_ name: String, _ texts: Texts, feelings: [String], addressee: String?, afterLine: AfterLine?) {
    self.name = name
    self.answers = LetterAnswers(
      journalId: name, conflictKind: .friends, situation: texts.situation, feelings: feelings, hurt: texts.hurt,
      reflection: texts.reflection, need: texts.need, addressee: addressee)
    self.afterLine = afterLine
  }

  /// The journals that one language's letters are tried with.
  static func all(for language: LetterLanguage) -> [MatrixJournal] {
    written(in: language) + odd(for: language)
  }

  private static func written(in language: LetterLanguage) -> [MatrixJournal] {
    let name = addressee(in: language)
    return [
      MatrixJournal("full", Texts.casual(language), feelings: ["sad", "worried", "sorry"], addressee: name, afterLine: .apology),
      MatrixJournal("level", Texts.polite(language), feelings: ["lonely", "grateful"], addressee: name, afterLine: .neutral),
      MatrixJournal(
        "diary", Texts.diary(language), feelings: ["angry", "guilty", "regretful"], addressee: nil, afterLine: .apology),
      MatrixJournal("third", Texts.third(language), feelings: ["uneasy"], addressee: name, afterLine: .neutral),
      MatrixJournal("word", Texts.word(language), feelings: ["heavy", "hurt", "torn"], addressee: nil, afterLine: .neutral),
      MatrixJournal("skipped", Texts.skipped(language), feelings: ["tired"], addressee: nil, afterLine: nil),
      MatrixJournal(
        "denial", Texts.denial(language), feelings: ["indignant", "sorry"], addressee: name, afterLine: AfterLine.none),
    ]
  }

  private static func odd(for language: LetterLanguage) -> [MatrixJournal] {
    let name = addressee(in: language)
    let plain = Texts.diary(language)
    let foreign = language == .ko ? Texts.casual(.en) : Texts.casual(.ko)
    return [
      MatrixJournal("long", Texts.long(language), feelings: ["numb", "empty"], addressee: name, afterLine: .neutral),
      MatrixJournal("quotes", .quotes, feelings: ["shocked", "sad"], addressee: "“Bear”", afterLine: .neutral),
      MatrixJournal("emoji", .emoji, feelings: ["awkward", "meh 🙃"], addressee: "민지 😊", afterLine: .apology),
      MatrixJournal("foreign", foreign, feelings: ["슬픔", "worried", "happy"], addressee: "Tom", afterLine: .apology),
      MatrixJournal(
        "eight", plain,
        feelings: ["sad", "hurt", "guilty", "anxious", "angry", "hopeful", "relieved", "ignored"], addressee: name,
        afterLine: .apology),
      MatrixJournal(
        "eight main", plain, feelings: ["lonely", "empty", "jealous", "tense", "confused", "helpless", "heavy", "overwhelmed"],
        addressee: name, afterLine: .neutral),
      MatrixJournal("own words", plain, feelings: ["찬밥 신세", "ugh!", "もやもや"], addressee: nil, afterLine: .neutral),
      MatrixJournal("one own word", plain, feelings: ["“left out”"], addressee: nil, afterLine: .neutral),
      MatrixJournal(
        "regret only", plain, feelings: ["guilty", "sorry", "ashamed", "regretful", "embarrassed"], addressee: nil,
        afterLine: .apology),
      MatrixJournal("guilty only", .nothingOwned(plain), feelings: ["guilty"], addressee: nil, afterLine: nil),
      MatrixJournal(
        "warm only", plain, feelings: ["grateful", "longing", "relieved", "happy"], addressee: nil, afterLine: .neutral),
      MatrixJournal(
        "placeholders", .placeholders, feelings: ["{Q}", "%@ %d", "disappointed"], addressee: "{you}", afterLine: .neutral),
      MatrixJournal("right to left", .rightToLeft, feelings: ["حزين", "afraid"], addressee: "سارة", afterLine: .neutral),
      MatrixJournal("hanging marks", .hanging, feelings: ["flustered"], addressee: nil, afterLine: .neutral),
    ]
  }

  private static func addressee(in language: LetterLanguage) -> String {
    switch language {
    case .en: "Sam"
    case .ko: "민지"
    case .ja: "ゆうちゃん"
    case .zhHans: "小雨"
    }
  }
}

/// The four answers in words.
struct Texts {
  var situation: String
  var hurt: String
  var reflection: String?
  var need: String

  init(_ situation: String, _ hurt: String, _ reflection: String?, _ need: String) {
    self.situation = situation
    self.hurt = hurt
    self.reflection = reflection
    self.need = need
  }

  static func nothingOwned(_ texts: Texts) -> Texts {
    Texts(texts.situation, texts.situation + "!", nil, texts.need)
  }

  /// Whole sentences that speak like a casual letter, with something owned.
  static func casual(_ language: LetterLanguage) -> Texts {
    switch language {
    case .en:
      Texts(
        "we said we would cook together, and I fell asleep.", "You ate alone at ten in the evening.",
        "I should have told you how tired I was.", "I want us to plan evenings that both of us look forward to.")
    case .ko:
      Texts(
        "같이 밥 먹기로 했는데 내가 잠들었어. 연락도 못 했어ㅠㅠ", "열 시에 혼자 밥을 먹었다는 말이 마음에 걸렸어.", "미리 피곤하다고 말 못 해서 미안해.",
        "둘 다 기다려지는 저녁을 보내고 싶어.")
    case .ja:
      Texts(
        "一緒にごはんを作る約束だったのに、先に寝てしまった。", "ひとりで十時に食べたと聞いて、つらかった。", "疲れていると言えばよかった。", "お互いに楽しみにできる夜を過ごしたい。")
    case .zhHans:
      Texts("我们说好一起做饭，结果我先睡着了。", "你一个人十点才吃上饭，我心里过不去。", "我应该早点说我累了的。", "我希望我们都能期待一起吃饭的晚上")
    }
  }

  /// Whole sentences that speak like a polite letter.
  static func polite(_ language: LetterLanguage) -> Texts {
    switch language {
    case .en:
      Texts(
        "At the meeting on Monday you read my draft aloud. I said nothing.", "Nobody asked how I had come to it!",
        "I left early and did not say why.", "I would like my work to be seen.")
    case .ko:
      Texts(
        "월요일 회의에서 제 초안을 소리 내어 읽으셨어요. 저는 아무 말도 못 했어요.", "아무도 제 생각을 묻지 않았어요!", "저는 이유도 말하지 않고 먼저 나왔어요.",
        "제 일을 봐 주시면 좋겠어요.")
    case .ja:
      Texts(
        "月曜の会議で、私の案を読み上げられました。私は何も言えませんでした。", "誰にも理由を聞かれませんでした！", "私は理由を言わずに先に帰りました。", "自分の仕事を見てもらえるとうれしいです。")
    case .zhHans:
      Texts("周一开会的时候，您把我的草稿念了出来。我什么也没说。", "没有人问我是怎么想到的！", "我没有说原因，就先走了。", "我希望自己的工作能被看见。")
    }
  }

  /// Notes to oneself.
  static func diary(_ language: LetterLanguage) -> Texts {
    switch language {
    case .en:
      Texts("Forgot dinner. Silence on the way home", "the silence in the car", "said nothing either", "a calm evening together")
    case .ko: Texts("저녁 약속을 잊었다. 집에 오는 길이 조용했다", "차 안의 침묵", "나도 아무 말을 하지 않았다", "함께 보내는 조용한 저녁 시간")
    case .ja: Texts("夕食を忘れた。帰り道、沈黙", "車の中の沈黙が長かったこと", "こちらも黙ったままでいたこと", "ふたりで過ごす静かな夜の時間")
    case .zhHans: Texts("忘了晚饭。回家路上没人说话", "车里的那一段沉默", "自己也一句话没说", "安安静静在一起的晚上")
    }
  }

  /// The other is spoken about.
  static func third(_ language: LetterLanguage) -> Texts {
    switch language {
    case .en:
      Texts(
        "He came home late, and I had cooked for us.", "She laughed when I told her.", "I never asked him why.",
        "I want her to listen to me.")
    case .ko: Texts("상대가 늦게 왔고 나는 기다렸어.", "그 사람이 웃었어.", "남편한테 왜인지 물어보지 않았어.", "상대가 내 말을 들어 줬으면 좋겠어.")
    case .ja: Texts("彼が遅く帰ってきて、ずっと待っていた。", "相手に笑われた。", "夫に理由を聞かなかった。", "彼女に話を聞いてもらいたい。")
    case .zhHans: Texts("他很晚才回来，我一直在等。", "我说的时候她笑了。", "我没有问老公是为什么。", "我希望对方能听我说完。")
    }
  }

  /// One word each.
  static func word(_ language: LetterLanguage) -> Texts {
    switch language {
    case .en: Texts("money", "her face", "pride", "respect")
    case .ko: Texts("돈 문제", "그 표정", "자존심", "존중")
    case .ja: Texts("お金", "あの表情", "意地", "尊重")
    case .zhHans: Texts("钱的事", "那个表情", "面子", "尊重")
    }
  }

  /// The own part skipped in words.
  static func skipped(_ language: LetterLanguage) -> Texts {
    var texts = diary(language)
    switch language {
    case .en: texts.reflection = "Nothing."
    case .ko: texts.reflection = "없음"
    case .ja: texts.reflection = "特に なし。"
    case .zhHans: texts.reflection = "没有…"
    }
    return texts
  }

  /// The own part denied.
  static func denial(_ language: LetterLanguage) -> Texts {
    var texts = casual(language)
    switch language {
    case .en: texts.reflection = "It was not my fault, I was tired."
    case .ko: texts.reflection = "나는 잘못한 게 없어."
    case .ja: texts.reflection = "こちらは悪くなかったと思う。"
    case .zhHans: texts.reflection = "我觉得这件事不是我的错。"
    }
    return texts
  }

  /// Five hundred Characters in every answer.
  static func long(_ language: LetterLanguage) -> Texts {
    func repeated(_ sentence: String) -> String {
      String(String(repeating: sentence, count: 500 / sentence.count + 1).prefix(500))
    }
    return switch language {
    case .en:
      Texts(
        repeated("We talked about it. "), repeated("the dishes, the car, "), repeated("I said little. "),
        repeated("time for us, "))
    case .ko: Texts(repeated("같이 이야기했어. "), repeated("설거지, 빨래, "), repeated("나는 말이 적었어. "), repeated("함께 보내는 시간, "))
    case .ja: Texts(repeated("一緒に話をした。"), repeated("皿洗いや洗濯、"), repeated("言葉が少なかった。"), repeated("ふたりの時間、"))
    case .zhHans: Texts(repeated("我们一起谈过。"), repeated("洗碗，洗衣服，"), repeated("我说得很少。"), repeated("在一起的时间，"))
    }
  }

  static let quotes = Texts(
    "“Enough,” was all.\n\n- the door\n- the stairs", "「もう信用できない」と言われたこと", "You said \"fine\".\nI said “okay”",
    "‘us’ and 「安心」, “both”")

  static let emoji = Texts("the party 🎉", "혼자였어ㅠㅠ", "I could have called 😢", "😢")

  static let placeholders = Texts("{Q} and %@ with $1", "Q3: **why**?", "{\"part\": \"mine\"}", "## Feelings\n\\n {you}")

  static let rightToLeft = Texts("نسيت العشاء ولم أتصل.", "الصمت", "كنت متعبا جدا", "الاحترام")

  static let hanging = Texts("the keys, the bill,", "so late…", "kept quiet;", "peace and quiet:")
}
