import JSON
import KindVerbAPI

/// A list that the daemon gives page by page, shown as it comes: memory holds one page, however long the list is.
struct Listing {
  /// Items of a page at most; the contract's limit.
  static let pageLimit = 200

  /// How many items are wanted: nil for what the daemon gives as one page.
  private let wanted: Int?
  private let before: String?

  /// Reads `--limit`, `--before` and `--all`.
  init(_ arguments: VerbArguments, _ session: Session) throws(Failure) {
    wanted = arguments["all"] != nil ? .max : try Values.limit(arguments["limit"], session)
    before = arguments["before"]
  }

  /// Fetches and shows. As JSON it is one object `{items, next?}` over all pages.
  func show<Item: ContractValue>(
    _ session: Session, rows: ([Item]) -> Void,
    fetch: (_ limit: Int?, _ before: String?) throws(Failure) -> (items: [Item], next: String?)
  ) throws(Failure) {
    var left = wanted
    var next = before
    var isFirst = true
    repeat {
      let page = try fetch(left.map { min($0, Self.pageLimit) }, next)
      next = page.next
      left = left.map { $0 - page.items.count }
      if session.options.isJSON {
        session.terminal.part((isFirst ? "{\"items\":[" : page.items.isEmpty ? "" : ",") + json(page.items, session))
      } else if isFirst || !page.items.isEmpty {
        rows(page.items)
      }
      isFirst = false
      if page.items.isEmpty { break }
    } while next != nil && (left ?? 0) > 0
    if session.options.isJSON { session.terminal.line(next.map { "],\"next\":\(JSON.string($0).description)}" } ?? "]}") }
  }

  private func json<Item: ContractValue>(_ items: [Item], _ session: Session) -> String {
    items.map { item in
      var writer = JSONWriter()
      item.write(to: &writer)
      return session.terminal.safeJSON(String(decoding: writer.bytes, as: UTF8.self))
    }.joined(separator: ",")
  }
}
