import Testing

@testable import Letters

/// A letter that is known word for word.
struct WorkedLetter: CustomTestStringConvertible, Sendable {
  let request: LetterRequest
  let content: String
  var testDescription: String { request.answers.journalId }
}

extension WorkedLetter {
  static let english: [WorkedLetter] = [
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "E1", conflictKind: .friends,
          situation: "We had planned dinner on Saturday. I forgot about it and did not call.",
          feelings: ["guilty", "worried", "sad"],
          hurt: "You waited for an hour on your own.",
          reflection: "I should have set an alarm.",
          need: "I want us to be able to rely on each other's word.",
          addressee: "Sam"),
        tone: .neutralWarm, register: .casual, language: .en, iteration: 1),
      content: """
        Hi Sam,

        I’m writing because I don’t want what happened to sit between us in silence. I’d like things to be easy between us again.

        From where I stood, it went like this. We had planned dinner on Saturday. I forgot about it and did not call.

        You may well remember it differently. When it happened, I felt worried and sad. As I write this, I feel guilty.

        The part that hurts the most is this: You waited for an hour on your own.

        I want to be open about my side of it: I should have set an alarm. I regret that, and I’m sorry.

        Deep down, this is what I was hoping for: I want us to be able to rely on each other's word.

        Would you let me know how this sounds to you? If now isn’t the time, that’s completely fine.

        Thank you for reading this far.
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "E2", conflictKind: .couple,
          situation:
            "On Sunday you took out your phone three times while I was talking. I said \"fine, never mind\" and left the room.",
          feelings: ["lonely", "irritated", "invisible"],
          hurt: "I had no idea how to ask for your attention",
          reflection: "I walked out instead of saying what I wanted.",
          need: "a little time each day when we are really there for each other",
          addressee: "my love"),
        tone: .softer, register: .casual, language: .en, iteration: 2),
      content: """
        My love,

        I wanted to put this in writing, so that I can say it calmly. I’m not writing to argue, or to prove anything. I’d like us both to feel lighter.

        Here’s what happened, as I saw it. On Sunday you took out your phone three times while I was talking. I said "fine, never mind" and left the room.

        There may be things I couldn’t see from where I was. Inside, I felt lonely and irritated. Another way I’d put it is “invisible”. That may not be what was meant at all.

        The hardest part for me is this: “I had no idea how to ask for your attention.”

        I want to be open about my side of it: I walked out instead of saying what I wanted. I wanted to say that openly.

        Deep down, this is what I was hoping for: “a little time each day when we are really there for each other.”

        If you’re open to it, would you tell me, in a line or two, how it was for you? It’s all right if you’d rather not just now.

        Thank you for taking the time to read this.
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "E3", conflictKind: .inLaws,
          situation: "the holiday table, again",
          feelings: ["tense", "meh 🙃"],
          hurt: "comments about my cooking",
          reflection: nil,
          need: "respect",
          addressee: "Mrs. Han"),
        tone: .concise, register: .polite, language: .en, iteration: 1),
      content: """
        Dear Mrs. Han,

        I wanted to write to you about what happened.

        This is how I described it in my own notes: “the holiday table, again.”

        I may have missed things. Inside, I felt tense. Another way I would put it is “meh 🙃”.

        What I keep coming back to is this: “comments about my cooking.”

        Deep down, what I was hoping for was “respect”.

        Could we talk for ten minutes, when it suits you? No is a fine answer, too. Thank you for reading this.
        """),
  ]
}

extension WorkedLetter {
  static let korean: [WorkedLetter] = [
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "K1", conflictKind: .friends,
          situation: "주말 약속을 깜빡했다. 연락도 못 했다.",
          feelings: ["guilty", "anxious", "sorry"],
          hurt: "한 시간이나 혼자 기다리게 한 것",
          reflection: "알람이라도 맞춰 뒀어야 했다.",
          need: "서로의 약속을 믿을 수 있는 사이",
          addressee: "민지"),
        tone: .neutralWarm, register: .casual, language: .ko, iteration: 1),
      content: """
        민지에게

        그 일이 마음에 남아서, 말 대신 글로 적어 봐. 이 일로 우리 사이가 멀어지지 않았으면 해.

        그때 일을 내 말로 적으면 이래. “주말 약속을 깜빡했다. 연락도 못 했다.”

        다르게 느꼈을 수도 있을 것 같아. 그 일로 불안했어. 돌아보면 죄책감과 미안한 마음이 들어.

        자꾸 마음에 걸리는 건 이 부분이야. “한 시간이나 혼자 기다리게 한 것.”

        내 몫도 돌아봤어. “알람이라도 맞춰 뒀어야 했다.” 그 부분은 미안하게 생각해.

        내가 정말 바랐던 건 이거야. “서로의 약속을 믿을 수 있는 사이.”

        편한 시간에 10분 정도 이야기 나눌 수 있을까? 아직 이야기하고 싶지 않다면 그것도 괜찮아.

        읽어 줘서 고마워.
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "K2", conflictKind: .couple,
          situation: "어제 저녁에 제가 이야기하는 동안 휴대폰을 세 번 보셨어요. 저는 말을 멈추고 방으로 들어갔어요.",
          feelings: ["lonely", "downhearted", "찬밥 신세"],
          hurt: "제 하루를 나누고 싶었는데 말할 힘이 빠졌어요.",
          reflection: "말하지 않고 자리를 피한 건 제 잘못이에요.",
          need: "하루에 10분이라도 서로 이야기를 듣는 시간이 있으면 좋겠어요.",
          addressee: "여보"),
        tone: .softer, register: .polite, language: .ko, iteration: 2),
      content: """
        여보,

        직접 말하면 마음이 앞설 것 같아서 이렇게 글로 적어요. 급한 이야기는 아니니 편하실 때 읽어 주세요. 좋은 마음으로 다시 마주하고 싶어요.

        먼저 있었던 일을 제가 기억하는 대로 적어 볼게요. 어제 저녁에 제가 이야기하는 동안 휴대폰을 세 번 보셨어요. 저는 말을 멈추고 방으로 들어갔어요.

        제가 보지 못한 부분도 분명 있을 거예요. 그 일을 겪으면서 외롭고 서운했어요. 그리고 ‘찬밥 신세’, 이런 말도 떠올랐어요. 제 쪽에서 그렇게 느꼈다는 이야기예요.

        가장 마음 아팠던 건 이거예요. 제 하루를 나누고 싶었는데 말할 힘이 빠졌어요.

        저부터 돌아보려고 했어요. 말하지 않고 자리를 피한 건 제 잘못이에요. 그 점은 정말 미안해요.

        진짜 원했던 걸 말로 옮기면 이래요. 하루에 10분이라도 서로 이야기를 듣는 시간이 있으면 좋겠어요.

        혹시 괜찮으시다면, 이 글을 읽고 어떤 생각이 드시는지 말씀해 주실 수 있을까요? 어렵다고 하셔도 괜찮으니 부담 갖지 마세요.

        읽어 주셔서 고마워요.
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "K3", conflictKind: .inLaws,
          situation: "명절 음식 준비",
          feelings: ["tense", "눈치 보임 😥"],
          hurt: "“요즘 애들은”이라는 말씀",
          reflection: "딱히 없음",
          need: "편하게 지내기",
          addressee: "어머님"),
        tone: .concise, register: .polite, language: .ko, iteration: 3),
      content: """
        어머님께

        그 일로 드릴 말씀이 있어 몇 자 적습니다.

        그때 일을 제 말로 적으면 이렇습니다. “명절 음식 준비.”

        다르게 보셨을 수도 있습니다. 그 일로 긴장됐습니다. 제 말로 하자면 ‘눈치 보임 😥’, 그런 느낌도 있었습니다.

        가장 마음 아팠던 것은 이것입니다.

        “요즘 애들은”이라는 말씀.

        제가 정말 바랐던 것은 ‘편하게 지내기’, 그것이었습니다.

        편하실 때 10분만 이야기 나눠 주실 수 있을까요? 급하지 않습니다. 읽어 주셔서 감사합니다.
        """),
  ]
}

extension WorkedLetter {
  static let japanese: [WorkedLetter] = [
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "J1", conflictKind: .siblings,
          situation: "借りた服を、何も言わずに友だちに貸した。",
          feelings: ["afraid", "sorry", "regretful"],
          hurt: "「もう信用できない」と言われたこと",
          reflection: "ひとこと聞けばよかった。",
          need: "また気軽に貸し借りできるようになりたい。",
          addressee: "お姉ちゃん"),
        tone: .sincere, register: .casual, language: .ja, iteration: 1),
      content: """
        お姉ちゃんへ

        あのことが心に残っていて、ちゃんと言葉にしたくて書くね。うまい言葉じゃなくても、正直な気持ちを伝えたい。これからも、いい関係でいられたらと思ってる。

        あのときのことを思い出すと、こうだった。借りた服を、何も言わずに友だちに貸した。

        これはあくまで、こちらから見た話だよ。自分のしたことも、見つめ直してみた。ひとこと聞けばよかった。そのことは、申し訳なかったと思ってる。

        そのとき、怖かった。これを書きながら、申し訳ない気持ちと後悔も感じている。

        いちばん胸が痛んだのは、このこと。

        「もう信用できない」と言われたこと。

        心の奥にあったのは、こんな願いだった。また気軽に貸し借りできるようになりたい。

        これを読んでどう思ったか、教えてもらえるかな？　難しかったら、そう言ってくれて大丈夫だよ。

        読んでくれてありがとう。
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "J2", conflictKind: .parentChild,
          situation: "帰りが遅くなった日に、連絡をしませんでした。",
          feelings: ["frustrated", "sorry", "grateful"],
          hurt: "玄関で叱られて、理由を話せないままになったことです。",
          reflection: "一本連絡を入れるべきでした。",
          need: "心配だけでなく、信頼もしてもらえるとうれしいです。",
          addressee: "お母さん"),
        tone: .softer, register: .polite, language: .ja, iteration: 2),
      content: """
        お母さんへ

        あのことが心に残っていて、きちんと言葉にしたいと思い、書いています。どちらが正しいかを決めたいわけではありません。またおだやかにお話しできたら、うれしいです。

        あのときのことを思い出すと、こうでした。帰りが遅くなった日に、連絡をしませんでした。

        これはあくまで、私から見た話です。そのときの私は、もどかしかったです。落ち着いて考えると、申し訳ない気持ちもあります。それから、感謝の気持ちも感じています。

        今も心に引っかかっているのは、こういうことです。玄関で叱られて、理由を話せないままになったことです。

        自分のことも振り返ってみました。一本連絡を入れるべきでした。そのことについては、申し訳ありませんでした。

        本当の気持ちを言葉にすると、こうなります。心配だけでなく、信頼もしてもらえるとうれしいです。

        お気が向きましたら、これを読んでどう思われたか、教えていただけますか。お時間が必要でしたら、ゆっくりで大丈夫です。

        読んでくださって、ありがとうございます。
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "J3", conflictKind: .inLaws,
          situation: "お正月の集まり",
          feelings: ["tense", "もやもや"],
          hurt: "料理のこと",
          reflection: "特になし",
          need: "気持ちよく過ごしたい",
          addressee: "お義母様"),
        tone: .concise, register: .polite, language: .ja, iteration: 1),
      content: """
        お義母様

        長くならないように書きます。

        「お正月の集まり」について、お話しさせてください。

        私の見落としもあると思います。あのときは、緊張していました。それに、「もやもや」という気持ちもありました。

        いちばん胸が痛んだのは、「料理のこと」です。

        心の奥にあったのは、こんな願いでした。「気持ちよく過ごしたい」

        これを読んでどう思われたか、教えていただけますか。今すぐでなくてもかまいません。読んでくださって、ありがとうございます。
        """),
  ]
}

extension WorkedLetter {
  static let chinese: [WorkedLetter] = [
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "Z1", conflictKind: .couple,
          situation: "周六说好一起吃饭，我加班忘了，也没给你打电话。",
          feelings: ["anxious", "guilty", "regretful"],
          hurt: "你一个人等了一个小时",
          reflection: "我应该提前说一声的。",
          need: "我希望我们说好的事都能算数",
          addressee: "小雨"),
        tone: .neutralWarm, register: .casual, language: .zhHans, iteration: 1),
      content: """
        小雨：

        有几句心里话，我想慢慢写给你。我希望我们能心平气和地聊聊。

        回想起来，事情是这样的：周六说好一起吃饭，我加班忘了，也没给你打电话。

        从你那边看，也许是另一个样子。因为这件事，我感到焦虑。回头想想，我觉得很内疚，也很后悔。

        最让我心里难受的是：你一个人等了一个小时。

        对于我自己，我是这样想的：我应该提前说一声的。为这一点，我想跟你说声对不起。

        对我来说，重要的是：我希望我们说好的事都能算数。

        能用一两句话告诉我，你当时是什么感受吗？现在不方便的话，以后再说也行。

        无论怎样，都谢谢你看完这些话。
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "Z2", conflictKind: .parentChild,
          situation: "您没敲门就进了我房间，我冲您吼了一句，把门摔上了。",
          feelings: ["angry", "indignant", "regretful"],
          hurt: "您说“白养你了”，我一个人哭了很久。",
          reflection: "我不该吼您",
          need: "我希望有一点自己的空间，也希望我们能好好说话。",
          addressee: "妈"),
        tone: .sincere, register: .polite, language: .zhHans, iteration: 2),
      content: """
        妈：

        我不想让这件事就这么过去，所以想借这封信好好跟您说一说。我想把心里话原原本本地告诉您。我希望我们能心平气和地聊聊。

        我记得的经过是这样的：您没敲门就进了我房间，我冲您吼了一句，把门摔上了。

        从您那边看，也许是另一个样子。因为这件事，我感到生气和委屈。静下来想，我觉得很后悔。

        最让我心里难受的是：您说“白养你了”，我一个人哭了很久。

        我也反思了一下自己：“我不该吼您。”这一点，我很抱歉。

        我真正在意的是：我希望有一点自己的空间，也希望我们能好好说话。

        看完以后，能跟我说说您的想法吗？如果您还需要时间，慢慢来就好。

        谢谢您愿意看完。
        """),
    WorkedLetter(
      request: LetterRequest(
        answers: LetterAnswers(
          journalId: "Z3", conflictKind: .friends,
          situation: "群里的玩笑",
          feelings: ["embarrassed", "堵得慌"],
          hurt: "大家都在笑😅",
          reflection: "没有",
          need: "尊重",
          addressee: nil),
        tone: .concise, register: .casual, language: .zhHans, iteration: 1),
      content: """
        关于那件事，我想跟你说几句。

        我想说的，是“群里的玩笑”。

        你看到的也许不同。回头想想，我觉得很难为情。还有一种“堵得慌”的感觉。

        最让我心里难受的，是“大家都在笑😅”。

        其实我真正想要的，是“尊重”。

        能跟我说说你的想法吗？不方便就以后再说。谢谢你读到这里。
        """),
  ]
}

extension WorkedLetter {
  static let all = english + korean + japanese + chinese
}
