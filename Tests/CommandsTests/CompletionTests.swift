import Glibc
import KindVerbAPI
import Testing

@testable import Commands

@Suite("Completions in bash itself")
struct CompletionTests {
  /// What bash offers for words typed after `kindverb`, the last being unfinished.
  private func offered(_ words: String) -> [String]? {
    // Outside of a completion `compopt` has nothing to set.
    let script = """
      compopt() { :; }
      COMP_WORDS=(kindverb \(words))
      COMP_CWORD=$((${#COMP_WORDS[@]}-1))
      _kindverb
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = Program.output(["/bin/bash", "-uc", CompletionsCommand.bash() + "\n" + script])
    return result.map { $0.text.split(separator: "\n").map(String.init) }
  }

  @Test(
    "what can follow is offered",
    arguments: [
      ("jo", ["journal"]), ("journal l", ["list"]), ("journal list --st", ["--status"]), ("ping --st", []),
      ("journal list --status ''", ["draft", "completed"]), ("journal new fr", ["friends"]), ("letter rewrite x so", ["softer"]),
      ("watch l", ["letter"]), ("completions z", ["zsh"]), ("call journal.cr", ["journal.create"]),
      ("journal.cr", ["journal.create"]),
      ("call letter.rewrite tone = so", ["softer"]),
      ("call letter.rewrite tone =", ["neutral_warm", "softer", "concise", "sincere"]),
      ("letter.rewrite i", ["id="]), ("letter compose addr", ["addressee="]), ("help settings.g", ["settings.get"]),
      ("--language k", ["ko"]), ("--dry", ["--dry-run"]),
    ])
  func words(_ typed: String, _ expected: [String]) {
    let offered = offered(typed)
    #expect(offered.map(Set.init) == Set(expected))
  }
}
