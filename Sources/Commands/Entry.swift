import Glibc
import KindVerbAPI

/// The program `kindverb`: reads its arguments, runs the verb, and answers the exit status.
public func kindverbMain(_ arguments: [String]) -> Int32 {
  // A parent that ignores SIGPIPE must not make a `watch` out of us that writes into nothing for ever.
  signal(SIGPIPE, SIG_DFL)
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
    // What was shown sounds as if it had been done.
    if options.isDryRun, !options.isJSON { session.terminal.complain(session.text(.cliTrial)) }
    return ExitCode.ok.rawValue
  } catch {
    if error.isInterruption { dieByInterrupt() }
    if options.isJSON, let reply = error.reply { session.terminal.json(#"{"error":\#(reply)}"#) }
    if !error.message.isEmpty { session.terminal.complain("kindverb: " + error.message) }
    return error.code.rawValue
  }
}

/// Ends as Ctrl-C ends a program that does not look at it, so that the shell and a calling script see it.
private func dieByInterrupt() {
  signal(SIGINT, SIG_DFL)
  kill(getpid(), SIGINT)
}

private func run(_ session: Session) throws(Failure) {
  let words = session.options.words
  guard let first = words.first else { return HelpCommand.overview(session) }
  if first == "--version" { return session.terminal.line("kindverb \(ContractVersion.program)") }
  if words.contains("--help") { return try HelpCommand.show(session, words.filter { $0 != "--help" }) }
  if first.hasPrefix("--") { throw VerbArguments.unknown(first, [], session.language) }
  if first.contains(".") { return try CallCommand.run(session, arguments(words, of: .call, session)) }
  guard let verb = Verb.find(words) else { throw Verb.unknown(words, session) }
  do { try verb.run(session, arguments(Array(words.dropFirst(verb.path.count)), of: verb, session)) } catch {
    throw error.showing(verb.usage, session.language)
  }
}

/// The words of a verb, read as the verb wants them.
private func arguments(_ words: [String], of verb: Verb, _ session: Session) throws(Failure) -> VerbArguments {
  let options = session.options
  if !verb.isOneCall, options.isDryRun || options.idempotencyKey != nil {
    let name = options.isDryRun ? "--dry-run" : "--idempotency-key"
    throw .usage(session.text(.cliErrorOptionWithoutEffect, name, verb.name))
  }
  return try VerbArguments(
    words, literals: options.literals, options: verb.options, maximum: verb.maximum, language: session.language)
}
