/// The Korean forms of a feeling.
struct KoreanFeeling {
  /// Before another feeling: 슬프고, 마음이 무겁고.
  let connective: String
  /// Past in 해체, +요 in 해요체.
  let past: String
  /// Past in 합니다체.
  let formalPast: String
  /// Before 마음.
  let adnominal: String

  fileprivate init(_ connective: String, _ past: String, _ formalPast: String, _ adnominal: String) {
    self.connective = connective
    self.past = past
    self.formalPast = formalPast
    self.adnominal = adnominal
  }
}

extension BuiltInFeeling {
  /// The Korean forms; `humble` where one apologises and thanks upwards (죄송, 감사).
  func korean(humble: Bool) -> KoreanFeeling {
    switch self {
    case .sorry where humble: KoreanFeeling("죄송하고", "죄송했어", "죄송했습니다", "죄송한")
    case .grateful where humble: KoreanFeeling("감사하고", "감사했어", "감사했습니다", "감사한")
    case .sad: KoreanFeeling("슬프고", "슬펐어", "슬펐습니다", "슬픈")
    case .hurt: KoreanFeeling("마음이 아프고", "마음이 아팠어", "마음이 아팠습니다", "아픈")
    case .upset: KoreanFeeling("속상하고", "속상했어", "속상했습니다", "속상한")
    case .heartbroken: KoreanFeeling("가슴이 미어지고", "가슴이 미어졌어", "가슴이 미어졌습니다", "미어지는")
    case .downhearted: KoreanFeeling("서운하고", "서운했어", "서운했습니다", "서운한")
    case .disappointed: KoreanFeeling("실망스럽고", "실망스러웠어", "실망스러웠습니다", "실망스러운")
    case .discouraged: KoreanFeeling("기운이 빠지고", "기운이 빠졌어", "기운이 빠졌습니다", "기운 빠진")
    case .lonely: KoreanFeeling("외롭고", "외로웠어", "외로웠습니다", "외로운")
    case .empty: KoreanFeeling("허전하고", "허전했어", "허전했습니다", "허전한")
    case .heavy: KoreanFeeling("마음이 무겁고", "마음이 무거웠어", "마음이 무거웠습니다", "무거운")
    case .angry: KoreanFeeling("화가 나고", "화가 났어", "화가 났습니다", "화난")
    case .frustrated: KoreanFeeling("답답하고", "답답했어", "답답했습니다", "답답한")
    case .irritated: KoreanFeeling("짜증이 나고", "짜증이 났어", "짜증이 났습니다", "짜증스러운")
    case .indignant: KoreanFeeling("억울하고", "억울했어", "억울했습니다", "억울한")
    case .jealous: KoreanFeeling("질투가 나고", "질투가 났어", "질투가 났습니다", "질투 나는")
    case .anxious: KoreanFeeling("불안하고", "불안했어", "불안했습니다", "불안한")
    case .worried: KoreanFeeling("걱정되고", "걱정됐어", "걱정됐습니다", "걱정스러운")
    case .afraid: KoreanFeeling("두렵고", "두려웠어", "두려웠습니다", "두려운")
    case .tense: KoreanFeeling("긴장되고", "긴장됐어", "긴장됐습니다", "긴장된")
    case .uneasy: KoreanFeeling("마음이 편치 않고", "마음이 편치 않았어", "마음이 편치 않았습니다", "편치 않은")
    case .confused: KoreanFeeling("혼란스럽고", "혼란스러웠어", "혼란스러웠습니다", "혼란스러운")
    case .flustered: KoreanFeeling("당황스럽고", "당황스러웠어", "당황스러웠습니다", "당황스러운")
    case .shocked: KoreanFeeling("놀라고", "놀랐어", "놀랐습니다", "놀란")
    case .torn: KoreanFeeling("마음이 복잡하고", "마음이 복잡했어", "마음이 복잡했습니다", "복잡한")
    case .helpless: KoreanFeeling("막막하고", "막막했어", "막막했습니다", "막막한")
    case .awkward: KoreanFeeling("어색하고", "어색했어", "어색했습니다", "어색한")
    case .numb: KoreanFeeling("멍하고", "멍했어", "멍했습니다", "멍한")
    case .tired: KoreanFeeling("지치고", "지쳤어", "지쳤습니다", "지친")
    case .overwhelmed: KoreanFeeling("버겁고", "버거웠어", "버거웠습니다", "버거운")
    case .guilty: KoreanFeeling("죄책감이 들고", "죄책감이 들었어", "죄책감이 들었습니다", "죄스러운")
    case .sorry: KoreanFeeling("미안하고", "미안했어", "미안했습니다", "미안한")
    case .ashamed: KoreanFeeling("부끄럽고", "부끄러웠어", "부끄러웠습니다", "부끄러운")
    case .regretful: KoreanFeeling("후회스럽고", "후회스러웠어", "후회스러웠습니다", "후회스러운")
    case .embarrassed: KoreanFeeling("민망하고", "민망했어", "민망했습니다", "민망한")
    case .grateful: KoreanFeeling("고맙고", "고마웠어", "고마웠습니다", "고마운")
    case .hopeful: KoreanFeeling("기대되고", "기대됐어", "기대됐습니다", "기대하는")
    case .relieved: KoreanFeeling("마음이 놓이고", "마음이 놓였어", "마음이 놓였습니다", "안도하는")
    case .longing: KoreanFeeling("그립고", "그리웠어", "그리웠습니다", "그리운")
    case .tender: KoreanFeeling("애틋하고", "애틋했어", "애틋했습니다", "애틋한")
    case .happy: KoreanFeeling("기쁘고", "기뻤어", "기뻤습니다", "기쁜")
    }
  }
}
