import Glibc
import KindVerbAPI

/// The program `kindverb`: reads its arguments, runs the verb, and answers the exit status.
/// The arguments are bytes: they are read here, since Swift's own list of them has those replaced that are no text.
public func kindverbMain(_ count: Int32, _ vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  Output.secureStandardDescriptors()
  Parting.arm()
  // A parent that ignores SIGPIPE must not make a `watch` out of us that writes into nothing for ever.
  signal(SIGPIPE, SIG_DFL)
  let options: Options
  do {
    let language = Language.ofEnvironment(OutsideText.variable)
    let arguments = try OutsideText.arguments(count, vector, language)
    for name in ["KINDVERB_SOCKET", "XDG_RUNTIME_DIR"] { _ = try OutsideText.variable(name, language) }
    options = try Options.parse(arguments, environment: OutsideText.variable)
  } catch {
    Terminal.standard.complain("kindverb: " + error.message)
    return error.code.rawValue
  }
  let session = Session(options)
  // Also after an error, and after what was said of it.
  defer { hold(session) }
  do {
    try run(session)
    // What was shown sounds as if it had been done.
    if options.isDryRun, !options.isJSON { session.terminal.complain(session.text(.cliTrial)) }
    session.terminal.output.close()
    return ExitCode.ok.rawValue
  } catch {
    if error.isInterruption { dieByInterrupt() }
    if !error.message.isEmpty { session.terminal.complain("kindverb: " + error.message) }
    if options.isJSON, let reply = error.reply { session.terminal.json(#"{"error":\#(reply)}"#) }
    return error.code.rawValue
  }
}

/// Leaves a window open, that would close at the program's end, until what it says was read.
private func hold(_ session: Session) {
  if session.holdsWindow { _ = try? session.terminal.ask(session.text(.cliCloseWindow) + " ") }
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
  session.holdsWindow =
    verb.path == ["bp"] && session.terminal.isInteractive && !session.options.isJSON && ClickedReminder.isOpen
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
