/// A name found by its pattern.
struct FoundName {
  /// How a name goes on to be known elsewhere in the texts.
  enum Learned {
    /// With so many syllables of surname.
    case korean(surname: Int)
    case japanese
    case chinese
    case english
  }

  let start: Int
  let end: Int
  let learned: Learned?
}
