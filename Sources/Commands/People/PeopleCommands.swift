import KindVerbAPI

/// `people …`: names that no AI is shown.
enum PeopleCommands {
  static func list(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    if !arguments.words.isEmpty { throw Verb.unknown(["people"] + arguments.words, session) }
    let people = try session.call(Methods.PeopleList.self, .init())
    session.show(people) {
      if people.items.isEmpty, session.terminal.isTerminal {
        let next = session.next("people add NAME")
        return session.terminal.say(session.text(.cliPeopleNone) + next)
      }
      var table = Table()
      for item in people.items {
        let kind = session.text(item.kind == .place ? .cliPeoplePlace : .cliPeoplePerson)
        table.add([session.terminal.safe(item.name.exposed), kind, WallClockWords(session.language).date(item.createdAt)])
      }
      for line in table.lines(width: session.terminal.width) { session.terminal.line(line) }
    }
  }

  static func add(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    let kind: NameKind? = arguments["place"] != nil ? .place : nil
    try each(session, arguments, .cliPeopleAdded) { (name) throws(Failure) in
      try session.call(Methods.PeopleAdd.self, .init(name: PersonalText(name), kind: kind))
    }
  }

  static func remove(_ session: Session, _ arguments: VerbArguments) throws(Failure) {
    try each(session, arguments, .cliPeopleRemoved) { (name) throws(Failure) in
      try session.call(Methods.PeopleRemove.self, .init(name: PersonalText(name)))
    }
  }

  /// Each word is a name. What went well before one that did not is told.
  private static func each(
    _ session: Session, _ arguments: VerbArguments, _ done: MessageKey, _ change: (String) throws(Failure) -> People
  ) throws(Failure) {
    let names = arguments.words
    guard let last = names.last else { throw .missing("NAME", session) }
    // A key is for one call.
    if names.count > 1, session.options.idempotencyKey != nil {
      throw .usage(session.text(.cliErrorOptionWithoutEffect, "--idempotency-key", "people add NAME NAME"))
    }
    for name in names.dropLast() {
      _ = try change(name)
      if !session.options.isJSON { say(done, name, session) }
    }
    let people = try change(last)
    session.show(people) { say(done, last, session) }
  }

  private static func say(_ done: MessageKey, _ name: String, _ session: Session) {
    session.terminal.say(session.text(done, session.terminal.safe(name)))
  }
}

extension Verb {
  /// Names that no AI is shown.
  static let peopleVerbs: [Verb] = [
    // Any number of words: one that is none of those below is told the nearest.
    Verb(path: ["people"], arguments: "", section: "ai", summary: .cliHelpPeople, run: PeopleCommands.list),
    Verb(
      path: ["people", "list"], arguments: "", maximum: 0, section: "ai", summary: .cliHelpPeopleList, run: PeopleCommands.list),
    Verb(
      path: ["people", "add"], arguments: "NAME…", options: [.place], section: "ai", summary: .cliHelpPeopleAdd,
      run: PeopleCommands.add),
    Verb(
      path: ["people", "remove"], arguments: "NAME…", section: "ai", summary: .cliHelpPeopleRemove, run: PeopleCommands.remove),
  ]
}

extension VerbOption {
  static let place = VerbOption("place", nil, .cliOptionPlace)
}
