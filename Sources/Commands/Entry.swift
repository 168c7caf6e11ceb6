import Glibc
import KindVerbAPI

/// The program `kindverb`: reads its arguments, runs the verb, and answers the exit status.
public func kindverbMain(_ arguments: [String]) -> Int32 {
  let options: Options
  do {
    options = try Options.parse(arguments) { name in getenv(name).map { String(cString: $0) } }
  } catch {
    Terminal.standard.complain("kindverb: " + error.message)
    return error.code.rawValue
  }
  let session = Session(options)
  do {
    try run(session)
    return ExitCode.ok.rawValue
  } catch {
    if options.isJSON, let reply = error.reply { session.terminal.line(#"{"error":\#(reply)}"#) }
    if !error.message.isEmpty { session.terminal.complain("kindverb: " + session.terminal.safe(error.message)) }
    return error.code.rawValue
  }
}

private func run(_ session: Session) throws(Failure) {
  let words = session.options.words
  guard let first = words.first else { return HelpCommand.overview(session) }
  switch first {
  case "--version": return session.terminal.line("kindverb \(ClientVersion.program)")
  case "--help", "help": return try HelpCommand.run(session, Array(words.dropFirst()))
  case _ where first.contains("."): return try CallCommand.run(session, words)
  default: break
  }
  if words.contains("--help") { return try HelpCommand.run(session, words.filter { $0 != "--help" }) }
  guard let verb = Verb.find(words) else {
    let hint = Verb.nearest(to: words).map { " " + session.text(.cliErrorNearest, $0) } ?? ""
    throw .usage(session.text(.cliErrorUnknownVerb, words.prefix(2).joined(separator: " ")) + hint)
  }
  try verb.run(session, Array(words.dropFirst(verb.path.count)))
}
