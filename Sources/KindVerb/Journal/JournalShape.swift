import KindVerbAPI
import Letters

/// Records as the wire shows them.
public enum JournalShape {
  /// The version of the shapes of `Journal` and `LetterDraft`.
  static let schemaVersion = 1

  /// A journal with its feelings named in a language.
  static func journal(_ record: JournalRecord, _ language: Language) -> Journal {
    Journal(
      id: record.id, schemaVersion: schemaVersion, conflictType: record.conflictType, status: record.status,
      situationText: record.situation.map(PersonalText.init), feelings: record.feelings.map { emotion($0, language) },
      hurtText: record.hurt.map(PersonalText.init), reflectionText: record.reflection.map(PersonalText.init),
      desiredNeedText: record.need.map(PersonalText.init), addressee: record.addressee.map(PersonalText.init),
      createdAt: Instant.text(record.createdAt), updatedAt: Instant.text(record.updatedAt),
      completedAt: record.completedAt.map(Instant.text))
  }

  private static func emotion(_ feeling: String, _ language: Language) -> Emotion {
    guard let builtIn = BuiltInFeeling(rawValue: feeling) else { return Emotion(code: nil, label: PersonalText(feeling)) }
    return Emotion(code: feeling, label: PersonalText(builtIn.label(in: language.ofLetters)))
  }

  /// `emotion.list`
  public static func emotions(_ language: Language) -> Emotions {
    Emotions(
      items: BuiltInFeeling.allCases.map {
        EmotionEntry(code: $0.code, label: $0.label(in: language.ofLetters), group: $0.group.rawValue)
      })
  }

  /// `conflict.types`
  public static func conflictTypes(_ language: Language, _ entitlement: Entitlement) -> ConflictTypes {
    ConflictTypes(
      items: ConflictType.allCases.map { type in
        ConflictTypeEntry(
          code: type, title: MessageKey.text("conflict.\(type.rawValue).title", in: language) ?? type.rawValue,
          requiresPro: Entitlement.requiresPro(type), available: entitlement.allows(type))
      })
  }
}

extension Language {
  /// The same language as the letters know it.
  var ofLetters: LetterLanguage {
    switch self {
    case .en: .en
    case .ko: .ko
    case .ja: .ja
    case .zhHans: .zhHans
    }
  }
}
