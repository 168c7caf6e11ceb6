import KindVerbAPI
import Storage

/// The `people.` methods. Each runs inside the caller's transaction.
public struct PeopleHandlers {
  private let people: PeopleStore

  /// Handlers on a store.
  public init(_ store: Store) { people = PeopleStore(store) }

  /// `people.list`
  public func list() throws -> People {
    People(
      items: try people.all().map {
        KeptName(name: PersonalText($0.name), kind: $0.kind, createdAt: Instant.text($0.createdAt))
      })
  }

  /// `people.add`
  public func add(_ params: Methods.PeopleAdd.Params) throws -> People {
    let name = try Self.name(params.name)
    try people.add(name, params.kind ?? .person, folded: SearchText.folded(name))
    return try list()
  }

  /// `people.remove`
  public func remove(_ params: Methods.PeopleRemove.Params) throws -> People {
    guard try people.remove(folded: SearchText.folded(try Self.name(params.name))) else {
      throw APIError(.peopleNotFound, field: "name")
    }
    return try list()
  }

  /// A name on one line, without blank ends.
  private static func name(_ given: PersonalText) throws(APIError) -> String {
    let text = given.exposed
    let inner = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    guard JournalRules.hasText(text), !inner.contains(where: \.isNewline) else { throw APIError(.peopleBlank, field: "name") }
    return String(inner)
  }
}
