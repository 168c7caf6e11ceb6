import Foundation
import JSON

/// A String Catalog (`.xcstrings`), checked: every key in every language, translated, with the same placeholders.
struct StringCatalog {
  static let languages = ["en", "ko", "ja", "zh-Hans"]

  let name: String
  /// Key → texts in the order of ``languages``, sorted by key.
  let entries: [(key: String, texts: [String])]

  init(path: String) throws {
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let root = try readJSON(path)
    guard let strings = root["strings"]?.objectValue else { throw ContractError("\(path): no strings") }
    entries = try strings.members.map { member in (member.name, try Self.texts(member.name, member.value, path)) }
      .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
  }

  private static func texts(_ key: String, _ entry: JSON, _ path: String) throws -> [String] {
    if entry["extractionState"]?.stringValue == "stale" { throw ContractError("\(path): \(key): stale") }
    let texts = try languages.map { (language) throws -> String in
      guard let unit = entry["localizations"]?[language]?["stringUnit"] else {
        throw ContractError("\(path): \(key): no plain text in \(language)")
      }
      guard unit["state"]?.stringValue == "translated", let value = unit["value"]?.stringValue, !value.isEmpty else {
        throw ContractError("\(path): \(key): not translated into \(language)")
      }
      return value
    }
    let placeholders = texts.map { Self.placeholders(of: $0) }
    for (language, found) in zip(languages, placeholders) where found != placeholders[0] {
      throw ContractError("\(path): \(key): placeholders in \(language) differ from en: \(found) and \(placeholders[0])")
    }
    return texts
  }

  /// `%@`, `%lld`, `%1$@` …, sorted, since another language may order them otherwise by number.
  static func placeholders(of text: String) -> [String] {
    text.matches(of: #/%(?:\d+\$)?(?:@|lld|%)/#).map { String($0.output) }.filter { $0 != "%%" }.sorted()
  }
}

/// The Swift source of a catalog: the texts stand in the program's read-only data, and a lookup is a binary search.
struct CatalogSource {
  let text: String

  init(_ catalog: StringCatalog) {
    let keys = catalog.entries.map(\.key)
    var source = """
      // Made from \(catalog.name).xcstrings; do not edit.

      /// The texts of \(catalog.name).xcstrings.
      enum \(catalog.name)Catalog {
        /// The languages, in the order that ``text(_:language:)`` counts them in.
        static let languages = [\(StringCatalog.languages.map(\.literal).joined(separator: ", "))]

        /// Every key, sorted by its bytes.
        static var keys: [String] { (0..<keyTable.count).map { keyTable[$0] } }

        /// The text of a key in a language; nil if the catalog has no such key.
        static func text(_ key: String, language: Int) -> String? {
          guard tables.indices.contains(language), let place = keyTable.index(of: key) else { return nil }
          return tables[language][place]
        }

        private static let keyTable = Table(text: keyText, ends: keyEnds)
        private static let tables = [\(StringCatalog.languages.indices.map { "Table(text: text\($0), ends: ends\($0))" }.joined(separator: ", "))]

        /// Texts one after the other, and where each ends, in bytes.
        private struct Table: Sendable {
          let text: StaticString
          let ends: [UInt32]

          var count: Int { ends.count }

          func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
            let start = index == 0 ? 0 : Int(ends[index - 1])
            return UnsafeBufferPointer(start: text.utf8Start + start, count: Int(ends[index]) - start)
          }

          subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

          func index(of key: String) -> Int? {
            var low = 0
            var high = count
            while low < high {
              let middle = (low + high) / 2
              if bytes(middle).lexicographicallyPrecedes(key.utf8) { low = middle + 1 } else { high = middle }
            }
            return low < count && bytes(low).elementsEqual(key.utf8) ? low : nil
          }
        }


      """
    source += Self.table("key", keys)
    for (index, _) in StringCatalog.languages.enumerated() {
      source += Self.table("\(index)", catalog.entries.map { $0.texts[index] }, prefix: true)
    }
    source += "}\n"
    if catalog.name == "Localizable" { source += Self.messageKeys(keys) }
    text = source
  }

  private static func table(_ name: String, _ texts: [String], prefix: Bool = false) -> String {
    var end = 0
    let ends = texts.map { text in
      end += text.utf8.count
      return String(end)
    }
    let (textName, endsName) = prefix ? ("text\(name)", "ends\(name)") : ("\(name)Text", "\(name)Ends")
    return """
        private static let \(textName): StaticString = \(texts.joined().literal)
        private static let \(endsName): [UInt32] = [\(ends.joined(separator: ","))]

      """
  }

  private static func messageKeys(_ keys: [String]) -> String {
    var source = "\n/// The keys of Localizable.xcstrings.\npublic enum MessageKey: String, CaseIterable, Sendable {\n"
    for key in keys { source += "  case \(key.lowerCamel) = \(key.literal)\n" }
    return source + "}\n"
  }
}
