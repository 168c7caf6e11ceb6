/// Sentences without a name, made of words that begin or end like one.
let ordinarySentences: [String] = chineseSentences + japaneseSentences + koreanSentences + englishSentences

private let chineseSentences = [
  "王国里没有人听我说。", "他很高兴地走了。", "他张开嘴又闭上了。", "李子掉了一地。", "我喜欢黄色的花。", "白天我都在上班。", "何时才能好好说话？", "你方便的时候告诉我。", "金钱和时间都不够。",
  "万一他不来怎么办？", "屋里很安静。", "我们常常吵架。", "他的手很温暖。", "时间过得很快。", "我马上就走。", "于是我哭了。", "谢谢你陪我。", "江河都结冰了。", "他像石头一样。", "我对金融不感兴趣。",
  "她唱了一首韩国歌。", "我们去爬高山。", "文化不同也能相处。", "我们的关系很好。", "对于国家大事他很关心。", "孩子高兴坏了。", "孩子慢慢长大了。", "同事天天加班。", "朋友常常迟到。", "老婆静静地看着我。",
  "老公高高兴兴地出门。", "妹妹安安静静地坐着。", "他申明自己没错。", "武断地下结论。", "他严明地指出来。", "周围的人都在看。", "马路对面有人。", "黎明的时候我醒了。", "我叶子都没碰。", "毛巾湿了。",
  "他任性又固执。",
  "我明白他的意思。", "我们一起看雪花。", "老师表扬了我。", "全家一起去旅行。", "女儿明天考试。", "儿子今天发烧。", "姐姐英语很好。", "哥哥海边长大。", "弟弟建房子去了。", "花了2026元。", "那是2026年的事。",
  "我的室友经常晚归。", "单身的时候更自由。", "钱包丢了。", "应该和平解决。", "上官府告状。", "高兴说明他在乎。", "领导安排我出差。", "老板方案改了三次。", "同学和我说话。", "他文静地坐着。", "她笑笑没说话。",
]

private let japaneseSentences = [
  "夫の心が分からない。", "妻の愛が欲しい。", "妹の言葉が刺さった。", "夫の実家に行った。", "娘の結婚を喜んだ。", "大地が揺れた。", "大和の国の話をした。", "真理は一つではない。", "若菜を摘んだ。", "光が見えた。",
  "明日が怖い。", "正直に言えばよかった。", "学は身についた。", "愛が足りなかった。", "心が痛い。", "恵みの雨だった。", "海が見たい。", "葉月に会おうと話した。", "さくらが咲いた。", "ひかりが差した。",
  "のぞみが絶たれた。", "つばさを広げた。", "みなみの風が吹いた。", "はなが咲いた。", "友人の家に泊まった。", "上司の机に置いた。", "妹の部屋に入った。", "姉の服を借りた。", "兄の車に乗った。", "母の手が冷たい。",
  "彼氏の部屋で待った。", "息子の学校に行った。", "部下の前で怒られた。", "先輩の話を聞いた。", "ケーキを食べた。", "テレビを見ていた。", "スマホばかり見ている。", "ゲームに夢中だった。", "誠に申し訳ない。",
  "静かに待っていた。",
  "健康が一番だ。", "純粋に嬉しかった。", "一人で泣いた。", "二人で話した。", "進む道が違う。", "忍耐が必要だ。", "2026年のことだ。", "千円を貸した。", "友達の輪に入れない。", "妹の明かりを消した。",
  "弟のけんかを止めた。", "妹のあいさつが冷たい。", "夫のまことの気持ちが知りたい。", "山の上に登った。", "森の中を歩いた。",
]

private let koreanSentences = [
  "정원은 아름다웠다.", "이유는 모르겠다.", "친구 사이가 멀어졌다.", "동생 우산이 없어졌다.", "남편 도시락을 쌌다.", "엄마 생신을 잊었다.", "동료 의견을 무시했다.", "언니 화장품을 썼다.",
  "아들 성적이 떨어졌다.",
  "딸 소원을 들어줬다.", "조카 선물을 샀다.", "선배 조언을 들었다.", "후배 실수를 감쌌다.", "상사 지시를 따랐다.", "친구 생일을 까먹었다.", "남자친구 연락을 기다렸다.", "오빠 전화를 안 받았다.",
  "형 지갑을 찾았다.",
  "누나 성격이 급하다.", "여자친구 사진을 지웠다.", "장소는 비밀이다.", "조용한 방이 좋다.", "강아지는 귀엽다.", "오해는 풀렸다.", "서로는 말이 없다.", "한동안은 힘들었다.", "임신은 축복이다.",
  "송이는 버섯이다.",
  "황당한 일이다.", "정성은 고맙다.", "신호를 기다렸다.", "이성은 차갑다.", "주민은 반대했다.", "최선은 다했다.", "장비를 챙겼다.", "김치는 맛있다.", "박수는 나왔다.", "윤기를 잃었다.",
  "오만 원을 빌렸다.",
  "2026년은 힘들었다.", "카톡 3개를 보냈다.", "인스타 dm을 봤다.", "카톡 pc로 봤다.", "라인 밖에 섰다.", "팀원 실수를 봤다.", "막내 고집을 꺾었다.", "둘째 기분이 상했다.",
  "편지를 3통 썼다.", "A4 20장을 썼다.",
  "친구 지원을 받았다.", "동생 성별은 아직 모른다.", "동료 해결을 기다렸다.", "남편 소주를 샀다.",
  "친구 수준을 따졌다.", "아들 채우는 밥그릇.", "동생 나오는 길이었다.", "남편 해주는 밥을 먹었다.", "권해주는 책을 읽었다.", "서재는 조용하다.", "이웃 소음을 참았다.", "조건은 같다.",
  "강원도는 춥다.", "홍시는 달다.",
]

private let englishSentences = [
  "My friend will call you.", "My boss may go home.", "My sister can be cold.", "His brother rose early.",
  "My mom hopes you rest.", "We paid 100 dollars in 2026.", "By the grace of God we made it.",
  "I live near the Park Hotel.", "I work for Acme Corp now.", "We met at Café Nero.", "We went to Zürich in spring.",
  "Version 1.2.3 was broken.", "It was the AI 2026 conference.", "UK 2024 was a hard year.",
  "My partner was late.", "My manager gave me A4 paper.", "My friend mark my words.", "She said sorry.",
  "The nice café was closed.", "I told mom everything.", "My dad never said it.", "My ex left.",
  "Our neighbor plays loud music.", "My roommate never cleans.", "It took long.", "I lost my job.", "They sing in the shower.",
  "I ran home.", "You and Mom were right.", "You and Dad were loud.",
  "Kids need rest.", "Hours went by.", "Then came Monday.", "Between Friday and Sunday I cried.", "My sister and I fought.",
  "My teacher and Mom talked.", "I like Instagram and Netflix.",
  "He cut the line.", "Line 5 was full.", "Discord is loud at night.", "I use Telegram every day.", "I wish you peace.",
  "The Starbucks bar was full.", "I called HR on Tuesday.", "My husband joined the navy.",
  "My cousin started college.", "The ratio is 3:2.", "I got up at dawn.", "The std::vector crashed.", "Your words hurt.",
]
