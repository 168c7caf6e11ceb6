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
      kindverb() {
        [[ $* == *'letter list'* ]] && printf '1234abcd\\tx\\n5678abcd\\ty\\n'
        [[ $* == *'shares list'* ]] && printf '9876fedc\\tx\\n'
        return 0
      }
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
      ("--json journal l", ["list"]), ("--language ko journal l", ["list"]), ("--language = k", ["ko"]),
      ("--json --yes pi", ["ping"]),
      ("journal --json list --st", ["--status"]), ("journal list --limit 3 --al", ["--all"]),
      ("help wa", ["watch"]), ("help journal l", ["list"]), ("help al", ["all"]),
      ("settings ''", ["get", "set"]), ("settings set ''", ["language=en", "language=ko", "language=ja", "language=zh-Hans"]),
      ("settings get ''", ["language"]),
      ("settings set language = k", ["ko"]),
      ("letter show ''", ["1234abcd", "5678abcd"]), ("letter copy 12", ["1234abcd"]), ("letter rewrite 1", ["1234abcd"]),
      ("pro r", ["restore"]), ("pro restore ''", []), ("letter draft --a", ["--ai", "--auto"]),
      ("letter rewrite 1 --au", ["--auto"]),
      ("ai preview --tone s", ["softer", "sincere"]), ("ai o", ["on", "off"]), ("people r", ["remove"]),
      ("people add --pl", ["--place"]),
      ("share 12", ["1234abcd"]), ("share 1234abcd --days 3", ["3", "30"]), ("shares retry ''", ["9876fedc"]),
      ("shares c", ["cancel"]),
      ("shares --al", ["--all"]),
      ("letter show 1234abcd ''", []), ("ver", ["version"]),
    ])
  func words(_ typed: String, _ expected: [String]) {
    let offered = offered(typed)
    #expect(offered.map(Set.init) == Set(expected))
  }
}
