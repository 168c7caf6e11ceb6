import KindVerbAPI

/// Ids as a person reads and types them.
///
/// They begin with the time, so what was made within a minute begins alike; their ends are random. The end is what is shown, and
/// both a beginning and an end are taken.
enum ShortID {
  /// How many characters of an id are shown.
  static let length = 8
  /// The fewest characters that are taken for a part of an id.
  static let shortest = 4
  /// As many candidates as are listed.
  private static let listed = 10

  /// The end of an id.
  static func text(_ id: String) -> String { String(id.suffix(length)) }

  /// Whether what was typed is an id, its beginning or its end.
  static func fits(_ typed: String, _ id: String) -> Bool {
    let typed = typed.lowercased()
    return id.hasPrefix(typed) || id.hasSuffix(typed)
  }

  /// The ends of some ids, as long as it takes to tell them apart.
  static func apart(_ ids: [String]) -> [String] {
    let longest = ids.map(\.count).max() ?? 0
    let enough = (length...max(length, longest)).first { size in Set(ids.map { $0.suffix(size) }).count == Set(ids).count }
    return ids.map { String($0.suffix(enough ?? longest)) }
  }

  /// What a list holds of an item, to find it by its id or as the one that was changed last.
  typealias Entry = (id: String, createdAt: String, updatedAt: String)

  /// The id that was meant: as given, the only one that begins or ends so, or that of what was changed last when none is given.
  static func find(
    _ typed: String?, _ session: Session, none: MessageKey,
    fetch: (_ limit: Int, _ before: String?) throws(Failure) -> (items: [Entry], next: String?)
  ) throws(Failure) -> String {
    if let typed, typed.count >= 36 { return typed }
    if let typed, typed.count < shortest { throw .usage(session.text(.cliErrorIdTooShort, typed, String(shortest))) }
    var fitting: [Entry] = []
    var latest: Entry?
    var before: String?
    repeat {
      let page = try fetch(ContractLimits.PageLimit.maximum, before)
      if let typed {
        fitting += page.items.filter { fits(typed, $0.id) }
      } else {
        // Lists come newest first: of two that were changed at once the newer one is meant.
        for item in page.items where isLater(item.updatedAt, latest?.updatedAt ?? "") { latest = item }
      }
      before = page.items.isEmpty ? nil : page.next
    } while before != nil
    guard let typed else {
      guard let latest else { throw Failure(.failed, session.text(none)) }
      return latest.id
    }
    if fitting.count > 1 { throw ambiguous(typed, fitting, session) }
    // What cannot be told here is the daemon's to refuse, by its own error.
    return fitting.first?.id ?? typed
  }

  /// Compares points of time as texts. A fraction of a second stands before the `Z` and may be left out.
  static func isLater(_ time: String, _ other: String) -> Bool { time.prefix { $0 != "Z" } > other.prefix { $0 != "Z" } }

  private static func ambiguous(_ typed: String, _ fitting: [Entry], _ session: Session) -> Failure {
    let lines = zip(apart(fitting.map(\.id)), fitting).prefix(listed).map { end, item in
      "\n  \(end)  \(item.createdAt.prefix(16).split(separator: "T").joined(separator: " "))"
    }
    return .usage(session.text(.cliErrorAmbiguous, typed) + lines.joined() + (fitting.count > listed ? "\n  …" : ""))
  }
}
