// What Chinese names are made of, and what only looks like one.

let chineseSurnames = Characters(
  """
  王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹
  熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜詹 關張陳劉楊趙黃吳孫馬羅鄭謝韓馮蕭鄧許呂蘇盧蔣賈葉閻鍾陸龍萬錢湯
  """)
/// Surnames that begin or end few words, so that a title alone is enough.
let chineseTitleSurnames = Characters(
  """
  王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹
  熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙雷钱汤尹黎乔贺赖龚庞樊殷施陶洪翟颜倪严温季俞章鲁葛韦尤毕聂焦柳邢岳齐梅莫庄辛祝祁舒耿詹万段
  """)
let longChineseSurnames = ShortWords("欧阳 上官 司马 诸葛 司徒 东方 慕容 皇甫 尉迟 公孙 令狐 长孙 夏侯 轩辕 端木 南宫")
/// Characters of given names.
let chineseGivenCharacters = Characters(
  """
  伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红梅鹏飞辉建国志文斌波宁琳琴云莲雪荣爱妹香月莺媛瑞凡佳嘉琼勤珍贞莉晶妍茜秋珊莎锦黛青倩婷姣婉娴瑾颖露瑶怡婵雁蓓仪荷丹蓉眉君蕊薇菁梦岚苑婕馨
  瑗琰韵融园艺咏卿聪澜纯毓悦昭冰爽琬茗羽希欣飘育滢馥筠柔竹霭凝晓欢霄枫芸菲寒伊亚宜可姬舒影荔枝思雅俊峰松浩亮政谦亨奇固之轮翰朗伯宏言若鸣朋梁栋维启克伦翔旭泽晨辰士建家致树炎德行时泰盛雄琛钧冠策腾
  楠榕风航弘毅博涵诗涵子轩宇轩浩宇梓涵欣怡雨桐紫若彤语嫣依诺一诺沐宸奕辰鑫鹤洁淑惠慧巧春菊凤素燕玲环雨琪莹婧璐小晴美芬诗乐天昊然睿哲皓煜祺恒伦阳帆凯龙康健林森海山川江东南北宝福贵富庆祥发财生根水木火土金银
  """)
/// Single given names that are not words after a surname.
let chineseSingleNames = Characters("伟芳娜敏静丽强磊军洋勇艳杰娟涛超霞刚鹏飞辉斌波琳莉婷倩颖莹洁慧玲燕雷蕾萌琪瑶欣悦怡佳浩宇轩凯帅晨阳雪梅兰")
/// After 小, 老 or 阿.
let chineseNicknames = Characters(
  "王李张刘陈杨赵黄周吴徐孙胡朱林何郭罗梁宋郑谢韩唐冯董萧肖程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛潘杜戴汪姜范姚谭廖邹陆郝崔邱秦顾侯邵孟尹黎乔贺赖龚明红丽芳刚强军敏宇琳杰燕玲娟慧霞兰雯倩婷静娜伟涛洋磊鹏颖洁莉佳琪萌悦欣怡雅蕾莹凡豪斌辉峰"
)
/// Words before which a name of a person goes on.
let chineseAfterName = Characters(
  "说问跟和与对把被给让叫也都不没的是在就又总还会要能想去来从老却竟怎这那昨今一她他你我您，。！？、：；,.!?:; \n）)」”’…~因比替吃看听打发生哭笑走回做到有只真天每刚已后以同突知觉连先")
/// What may stand before a full name without a space.
let chineseBeforeName = Characters("和跟与对把被给让叫是说向找问约请陪帮等怪骂吵事友学妹弟哥姐爱替连像到，。！？、：；,.!?:; \n（(「“‘…~因为但而当时天我你他她们同被")

let chineseTitles = Labels(
  """
  老师 先生 女士 小姐 医生 大夫 护士 经理 总监 主任 主管 教授 校长 院长 局长 处长 科长 部长 董事长 董事 律师 师傅 警官 阿姨 叔叔 伯伯 大爷 大妈 大叔 大姐 大哥 奶奶 爷爷 姐 哥 叔 婶 嫂 姨 总 工 博士
  书记 老板 导师 班长 组长 队长 教练 太太 夫人 同学 家 某
  """)
/// Titles of one character that go on as other words.
let chineseLooseTitles = Characters("总工家某姐哥叔婶嫂姨")
let chineseNoNames = ShortWords(
  "高兴 高中 高考 文静 安静 白天 方便 方向 任何 任性 常常 时候 时间 向来 金钱 石头 马上 黄金 钱包 江湖 毛病 易怒 万一 路上 关心 关系 温柔 严格 严重 严肃 成为 平时 平静 和平 老师 周一 周二 周三 周四 周五 周六 周日 周末 周围 周到 何必 何况 何时 林子 田地 雷雨 夏天 花时 许多 许久 程度 范围 张口 张嘴 张罗 曾经 余下 章节 孔子 段时 牛奶 水平 庄重 谢谢 于是 毕竟 毕业 白白 白洁 时刻 左右 管理 申请 辛苦"
)
