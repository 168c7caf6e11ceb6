import JSON
import KindVerbAPI

/// A list that the daemon gives page by page, shown as it comes: memory holds one page, however long the list is.
struct Listing {
  /// How many items are wanted: nil for what the daemon gives as one page.
  private let wanted: Int?
  private let before: String?

  /// Reads `--limit`, `--before` and `--all`.
  init(_ arguments: VerbArguments, _ session: Session) throws(Failure) {
    wanted = arguments["all"] != nil ? .max : try Values.limit(arguments["limit"], session)
    before = arguments["before"]
  }

  /// Fetches and shows. As JSON it is one object `{items, next?}` over all pages. Where a later page cannot be had, the object ends
  /// with the items that came, and `next` is where to go on; the error is told beside it.
  func show<Item: ContractValue>(
    _ session: Session, rows: ([Item]) -> Void,
    fetch: (_ limit: Int?, _ before: String?) throws(Failure) -> (items: [Item], next: String?)
  ) throws(Failure) {
    var left = wanted
    var next = before
    var isFirst = true
    repeat {
      let page: (items: [Item], next: String?)
      do { page = try fetch(left.map { min($0, ContractLimits.PageLimit.maximum) }, next) } catch {
        if isFirst { throw error }
        finish(session, next)
        throw error.beside
      }
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
    finish(session, next)
  }

  private func finish(_ session: Session, _ next: String?) {
    guard session.options.isJSON else { return }
    session.terminal.line(next.map { "],\"next\":\(JSON.string($0).description)}" } ?? "]}")
  }

  private func json<Item: ContractValue>(_ items: [Item], _ session: Session) -> String {
    items.map { item in
      var writer = JSONWriter()
      item.write(to: &writer)
      return session.terminal.safeJSON(String(decoding: writer.bytes, as: UTF8.self))
    }.joined(separator: ",")
  }
}
