import Glibc
import KindVerbAPI
import SQLite
import Storage
import Testing

@testable import KindVerb

/// A store of a test's own in a directory that goes with it.
final class Home {
  let path: String
  let store: Store

  init(_ environment: StoreEnvironment = .live) throws {
    var template = Array("/tmp/kindverb-domain-XXXXXX".utf8CString)
    path = try #require(
      template.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    store = try StoreOpening(directory: path, environment: environment).open()
  }

  deinit {
    store.close()
    for name in ["kindverb.db", "kindverb.mark", "kindverb.seal", "kindverbd.lock"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var journals: JournalHandlers { JournalHandlers(store, entitlement: Entitlement()) }
  var letters: LetterHandlers { LetterHandlers(store, entitlement: Entitlement()) }

  /// Runs a call as the dispatcher does: in a transaction of its own.
  @discardableResult
  func call<Value>(_ body: () throws -> Value) throws -> Value {
    try store.begin()
    do {
      let value = try body()
      _ = try store.commit()
      return value
    } catch {
      store.rollback()
      throw error
    }
  }

  func complete(_ situation: String = "I came late.") throws -> Journal {
    try call {
      let journal = try journals.create(
        .init(
          conflictType: .friends, situationText: PersonalText(situation),
          feelings: [PersonalText("sad"), PersonalText("torn apart")],
          hurtText: PersonalText("You waited."), desiredNeedText: PersonalText("trust")), .en)
      return try journals.complete(.init(id: journal.id), .en)
    }
  }
}

private func key(_ body: () throws -> Void) -> ErrorKey? {
  do {
    try body()
    return nil
  } catch { return (error as? APIError)?.key }
}

@Suite("Journals")
struct JournalTests {
  @Test("only a journal whose required questions are answered is completed; each gap has its error")
  func completing() throws {
    let home = try Home()
    let journal = try home.call { try home.journals.create(.init(conflictType: .friends), .en) }
    let complete = { try home.call { _ = try home.journals.complete(.init(id: journal.id), .en) } }
    #expect(key(complete) == .journalSituationEmpty)
    try home.call { try home.journals.update(.init(id: journal.id, situationText: .set(PersonalText("\u{3164} \u{200B}"))), .en) }
    #expect(key(complete) == .journalSituationEmpty)
    try home.call { try home.journals.update(.init(id: journal.id, situationText: .set(PersonalText("x"))), .en) }
    #expect(key(complete) == .journalEmotionEmpty)
    try home.call { try home.journals.update(.init(id: journal.id, feelings: .set([PersonalText("sad")])), .en) }
    #expect(key(complete) == .journalHurtEmpty)
    try home.call { try home.journals.update(.init(id: journal.id, hurtText: .set(PersonalText("y"))), .en) }
    #expect(key(complete) == .journalWantEmpty)
    #expect(try home.call { try home.journals.resume(.en) }.step == 5)
    try home.call { try home.journals.update(.init(id: journal.id, desiredNeedText: .set(PersonalText("z"))), .en) }
    #expect(key(complete) == nil)
    #expect(try home.call { try home.journals.resume(.en) }.journal == nil)
    #expect(
      key { try home.call { _ = try home.journals.update(.init(id: journal.id, hurtText: .clear), .en) } } == .journalHurtEmpty)
    #expect(try home.call { try home.journals.get(.init(id: journal.id), .en) }.hurtText?.exposed == "y")
  }

  @Test("what is answered is stored, byte for byte, also where a change is one of spelling alone")
  func exactly() throws {
    let home = try Home()
    let composed = "\u{AC01} \u{E9}"
    let apart = "\u{1100}\u{1161}\u{11A8} e\u{301}"
    #expect(composed == apart, "Swift takes them for equal")
    let journal = try home.call {
      try home.journals.create(
        .init(
          conflictType: .friends, situationText: PersonalText(composed), feelings: [PersonalText(composed)],
          hurtText: PersonalText(composed), reflectionText: PersonalText(composed), desiredNeedText: PersonalText(composed),
          addressee: PersonalText(composed)), .en)
    }
    let text = Change.set(PersonalText(apart))
    let changes: [(Methods.JournalUpdate.Params, (Journal) -> String?)] = [
      (.init(id: journal.id, situationText: text), \.situationText?.exposed),
      (.init(id: journal.id, feelings: .set([PersonalText(apart)])), { $0.feelings.first?.label.exposed }),
      (.init(id: journal.id, hurtText: text), \.hurtText?.exposed),
      (.init(id: journal.id, reflectionText: text), \.reflectionText?.exposed),
      (.init(id: journal.id, desiredNeedText: text), \.desiredNeedText?.exposed),
      (.init(id: journal.id, addressee: text), \.addressee?.exposed),
    ]
    for (change, read) in changes {
      let before = home.store.committedSeq
      let answered = try home.call { try home.journals.update(change, .en) }
      let stored = try home.call { try home.journals.get(.init(id: journal.id), .en) }
      #expect(read(answered)?.utf8.elementsEqual(apart.utf8) == true && read(stored)?.utf8.elementsEqual(apart.utf8) == true)
      #expect(home.store.committedSeq == before + 1, "a change that is stored is told")
      try home.call { _ = try home.journals.update(change, .en) }
      #expect(home.store.committedSeq == before + 1, "the same once more is no change")
    }
    let letter = try home.call {
      _ = try home.journals.complete(.init(id: journal.id), .en)
      return try home.letters.draft(.init(journalId: journal.id), .en)
    }
    for content in [composed, apart] {
      try home.call { _ = try home.letters.edit(.init(id: letter.id, content: PersonalText(content)), .en) }
      let stored = try home.call { try home.letters.get(.init(id: letter.id), .en) }.content.exposed
      #expect(stored.utf8.elementsEqual(content.utf8))
    }
  }

  @Test("every kind but friends needs Pro", arguments: ConflictType.allCases)
  func gate(_ type: ConflictType) throws {
    let home = try Home()
    let refused = key { try home.call { _ = try home.journals.create(.init(conflictType: type), .en) } }
    #expect(refused == (type == .friends ? nil : .entitlementProRequired))
  }

  @Test("feelings are trimmed and kept once; a blank one is refused; labels follow the language")
  func feelings() throws {
    let home = try Home()
    let given = [" sad ", "sad", "속상", "torn"].map { PersonalText($0) }
    let journal = try home.call { try home.journals.create(.init(conflictType: .friends, feelings: given), .ko) }
    #expect(journal.feelings.map(\.code) == ["sad", nil, "torn"])
    #expect(journal.feelings[1].label.exposed == "속상")
    #expect(journal.feelings[0].label.exposed != "sad")
    #expect(key { _ = try JournalRules.feelings([PersonalText("\u{200B}")]) } == .journalFeelingBlank)
  }

  @Test("pages hold still while journals are added")
  func pages() throws {
    let home = try Home()
    let ids = try (0..<5).map { _ in try home.complete().id }
    let first = try home.call { try home.journals.list(.init(limit: 2), .en) }
    try home.call { _ = try home.journals.create(.init(conflictType: .friends), .en) }
    let second = try home.call { try home.journals.list(.init(limit: 2, before: first.next), .en) }
    let third = try home.call { try home.journals.list(.init(limit: 2, before: second.next), .en) }
    #expect((first.items + second.items + third.items).map(\.id) == ids.reversed())
    #expect(third.next == nil)
    #expect(key { try home.call { _ = try home.journals.list(.init(before: "x"), .en) } } == .rpcInvalidParams)
  }

  @Test(
    "a search finds short words of every script, however they are composed",
    arguments: [
      ("친구와 약속을 잊었다", "약속"), ("친구와 약속을 잊었다", "\u{110B}\u{1163}\u{11A8}\u{1109}\u{1169}\u{11A8}"), ("約束を忘れた", "約束"),
      ("か\u{3099}っこう", "がっ"), ("我忘了约定", "约定"), ("Café at NINE", "cafe\u{301} at nine"), ("two\n lines", "two lines"),
    ])
  func search(_ text: String, _ query: String) throws {
    let home = try Home()
    let journal = try home.complete(text)
    _ = try home.complete("something else")
    var search = home.journals.search(.init(query: PersonalText(query)))
    let found = try home.call { try search.step(.en) }
    #expect(found?.items.map(\.id) == [journal.id])
  }

  @Test("pages of one status or kind are whole and in order, also where the others lie between")
  func filteredPages() throws {
    let home = try Home()
    let store = JournalStore(home.store)
    var made: [JournalRecord] = []
    for number in 0..<40 {
      var journal = JournalRecord(
        id: home.store.newID(), conflictType: ConflictType.allCases[number % 3], createdAt: Int64(number))
      if number % 4 == 0 {
        (journal.situation, journal.feelings, journal.hurt, journal.need) = ("a", ["sad"], "b", "c")
        (journal.status, journal.completedAt) = (.completed, 7)
      }
      try home.call { try store.insert(journal) }
      made.append(journal)
    }
    for status in [nil, JournalStatus.draft, .completed] {
      for type in [nil, ConflictType.friends, ConflictType.allCases[2], ConflictType.allCases[4]] {
        var ids: [String] = []
        var before: Int64?
        var hasMore = true
        while hasMore {
          let page = try home.call { try store.page(limit: 3, before: before, status: status, conflictType: type) }
          #expect(page.journals.count == 3 || !page.hasMore)
          ids += page.journals.map(\.id)
          (before, hasMore) = (page.journals.last?.row, page.hasMore)
        }
        let expected = made.filter { (status == nil || $0.status == status) && (type == nil || $0.conflictType == type) }
        #expect(ids == expected.map(\.id).reversed())
      }
    }
    #expect(try home.call { try store.newestDraft() }?.id == made[39].id)
  }

  @Test("rows fit their sums after every kind of change, and one that does not is never answered")
  func sums() throws {
    let home = try Home()
    let journal = try home.complete()
    try home.call {
      try home.journals.update(
        .init(id: journal.id, reflectionText: .set(PersonalText("mine")), addressee: .set(PersonalText("Kim"))), .en)
    }
    let letter = try home.call { try home.letters.draft(.init(journalId: journal.id), .en) }
    try home.call { _ = try home.letters.edit(.init(id: letter.id, content: PersonalText("Mine.")), .en) }
    try home.call { _ = try home.letters.finalize(.init(id: letter.id), .en) }
    #expect(try home.call { try home.letters.get(.init(id: letter.id), .en) }.content.exposed == "Mine.")
    home.store.abandon()
    home.store.connection.close()
    home.store.directory.release()
    // Without a seal everything is looked through.
    let again = try StoreOpening(directory: home.path).open()
    for (table, column) in [("journal", "reflectionText"), ("letter", "content")] {
      #expect(try again.connection.integer("SELECT 1 WHERE EXISTS (SELECT 1 FROM journal WHERE sum IS NULL)") == nil)
      try again.connection.execute("UPDATE \(table) SET \(column) = 'changed'")
    }
    #expect((#expect(throws: SQLiteError.self) { try JournalStore(again).get(journal.id) })?.kind == .damaged)
    #expect((#expect(throws: SQLiteError.self) { try LetterStore(again).get(letter.id) })?.kind == .damaged)
    again.close()
  }

  @Test("what is deleted leaves no word in the files")
  func deletion() throws {
    let home = try Home()
    let word = "Quetzalcoatlus"
    let journal = try home.complete(word)
    let letter = try home.call { try home.letters.draft(.init(journalId: journal.id), .en) }
    #expect(letter.content.exposed.contains(word))
    try home.call { _ = try home.journals.delete(.init(id: journal.id)) }
    try home.store.connection.checkpoint(.truncate)
    let descriptor = open(home.path + "/kindverb.db", O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    close(descriptor)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    #expect(count > 0 && !text.contains(word) && !text.contains(word.lowercased()))
    #expect(key { try home.call { _ = try home.letters.get(.init(id: letter.id), .en) } } == .letterNotFound)
  }
}

@Suite("Letters of journals")
struct LetterFlowTests {
  @Test("drafted, edited, finalized, and then closed to edits")
  func states() throws {
    let home = try Home()
    let draft = try home.call { try home.journals.create(.init(conflictType: .friends), .en) }
    #expect(key { try home.call { _ = try home.letters.draft(.init(journalId: draft.id), .en) } } == .journalNotCompleted)
    let journal = try home.complete()
    let letter = try home.call { try home.letters.draft(.init(journalId: journal.id), .en) }
    #expect(letter.status == .drafted && letter.iteration == 1)
    #expect(
      key { try home.call { _ = try home.letters.edit(.init(id: letter.id, content: PersonalText(" ")), .en) } } == .letterEmpty)
    let edited = try home.call { try home.letters.edit(.init(id: letter.id, content: PersonalText("Mine.")), .en) }
    #expect(edited.status == .edited)
    let final = try home.call { try home.letters.finalize(.init(id: letter.id), .en) }
    #expect(final.status == .finalized && final.finalizedAt != nil && final.content.exposed == "Mine.")
    #expect(
      key { try home.call { _ = try home.letters.edit(.init(id: letter.id, content: PersonalText("x")), .en) } }
        == .letterFinalized)
    #expect(try home.call { try home.letters.finalize(.init(id: letter.id), .en) } == final)
  }

  @Test("drafts of one tone differ and keep the facts; a rewrite keeps register and language")
  func drafts() throws {
    let home = try Home()
    let journal = try home.complete()
    let first = try home.call { try home.letters.draft(.init(journalId: journal.id, register: .polite, language: .ko), .en) }
    let second = try home.call { try home.letters.rewrite(.init(id: first.id, tone: .neutralWarm), .en) }
    let shorter = try home.call { try home.letters.rewrite(.init(id: first.id, tone: .concise), .en) }
    #expect(second.iteration == 2 && second.content != first.content && second.language == .ko && second.register == .polite)
    #expect(shorter.content.exposed.count < first.content.exposed.count)
    for letter in [first, second, shorter] {
      for fact in ["I came late", "You waited", "trust", "torn apart"] { #expect(letter.content.exposed.contains(fact)) }
    }
  }

  @Test("a notice stands beside the first letter of a journal alone")
  func notices() throws {
    let home = try Home()
    let journal = try home.complete("He pushed me against the door.")
    let first = try home.call { try home.letters.draft(.init(journalId: journal.id), .ja) }
    let second = try home.call { try home.letters.draft(.init(journalId: journal.id), .ja) }
    #expect(first.notices.map(\.key) == ["notice.safety"])
    #expect(second.notices.isEmpty)
    #expect(!first.content.exposed.contains(first.notices.first?.message ?? "x"))
  }

  @Test(
    "instants are ISO 8601 with Z",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400_000, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_772_349_300_250, "2026-03-01T07:15:00.250Z"), (253_402_300_799_000, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func instants(_ milliseconds: Int64, _ text: String) { #expect(Instant.text(milliseconds) == text) }
}
