"""What the command line says: of wrong words, of the daemon's errors, and in the person's language."""

import json
import re


def test_a_wrong_command_line_is_told_how_the_right_one_looks(daemon, kindverb):
    for words, hints in ((["journal", "delete"], ["Usage: kindverb journal delete ID"]), (["journal", "search"], ["Usage: kindverb journal search"]),
                         (["letter", "rewrite"], ["Usage: kindverb letter rewrite", "--tone"]), (["ping", "now"], ["Usage: kindverb ping"]),
                         (["journal", "list", "--limit", "0"], ["from 1"]), (["journal", "search", "x", "--limit", "201"], ["1 to 200"]),
                         (["--timeout", "x", "ping"], ["600"]), (["--language", "fr", "ping"], ["en, ko, ja, zh-Hans"]),
                         (["letter", "draft", "--tone", "angry"], ["softer"]), (["letter", "rewrite", "angry"], ["softer"]),
                         (["completions", "tcsh"], ["bash, zsh, fish"]), (["settings", "get", "x"], ["language"]),
                         (["journal"], ["journal new", "journal list", "journal search"]), (["letter"], ["letter rewrite"])):
        result = kindverb(daemon, *words)
        assert result.returncode == 3 and all(hint in result.stderr for hint in hints) and result.stdout == "", (words, result.stderr)


def test_the_daemons_errors_are_sentences_in_the_persons_language(daemon, kindverb):
    for words, hint in ((["call", "journal.list", "limits=3"], "no parameter limits"), (["call", "journal.get"], "parameter id is missing"),
                        (["call", "journal.get", "id:=3"], "Expected: text"), (["settings", "set", "lang=ko"], "no parameter lang in settings.set"),
                        (["settings", "set", "language=fr"], "en, ko, ja, zh-Hans"), (["call", "journal.list", "limit=999"], "at most 200")):
        for language in ("en", "ko", "ja", "zh-Hans"):
            result = kindverb(daemon, "--language", language, *words)
            assert result.returncode == 1 and "[" not in result.stderr and "details" not in result.stderr, result.stderr
            if language == "en":
                assert hint in result.stderr, result.stderr
            else:
                assert not re.search(r"\b(Expected|missing|parameter|string|integer|value)\b", result.stderr), result.stderr
    missing = kindverb(daemon, "journal", "show", "00000000-0000-4000-8000-000000000000").stderr
    assert "id" not in missing.replace("did", ""), missing


def test_small_verbs_of_a_script(daemon, kindverb, answers):
    assert re.fullmatch(r"kindverb \d+\.\d+\.\d+\n", kindverb(daemon, "version").stdout)
    assert kindverb(daemon, "settings", "get", "language").stdout == "\n"
    assert kindverb(daemon, "settings", "set", "language=ko").returncode == 0
    assert kindverb(daemon, "settings", "get", "language").stdout == "ko\n"
    assert "effectiveLanguage" not in kindverb(daemon, "settings").stdout
    assert kindverb(daemon, "settings", "set", "language=en").returncode == 0
    letter = daemon.call("letter.compose", answers)["letter"]
    for words in (["softer"], ["--tone", "softer"], [letter["id"][-8:], "softer"], [letter["id"][-8:], "--tone", "softer"]):
        assert json.loads(kindverb(daemon, "--json", "letter", "rewrite", *words).stdout)["tone"] == "softer"
    assert "situationText=" in kindverb(daemon, "letter", "compose", "--help").stdout
    assert kindverb(daemon, "letter", "compose", "-h").stdout == kindverb(daemon, "help", "letter", "compose").stdout


def test_figures_and_states_are_told_in_the_persons_language(daemon, kindverb):
    for language, words in (("ko", ["준비됨"]), ("ja", ["準備完了"]), ("zh-Hans", ["就绪"])):
        for verb in ("info", "stats", "settings", "doctor"):
            shown = kindverb(daemon, "--language", language, verb).stdout
            assert not re.search(r"\b(ready|bound|effectiveLanguage|KiB\b.*\d{5})", shown), shown
        assert all(word in kindverb(daemon, "--language", language, "info").stdout for word in words)


def test_words_and_options_that_mean_nothing_are_refused(daemon, kindverb):
    for words, hint in ((["ping", "--jsn"], "--json"), (["ping", "now"], "now"), (["journal", "show", "a", "b"], "b"),
                        (["journal", "list", "--limt", "3"], "--limit"), (["--jsn"], "--json"), (["settings", "get", "x"], "x"),
                        (["settings", "set"], "name=value"), (["journal"], "journal new")):
        result = kindverb(daemon, *words)
        assert result.returncode == 3 and hint in result.stderr and result.stdout == "", words


def test_a_letter_in_a_pipe_is_the_letter_alone(daemon, kindverb, answers):
    letter = daemon.call("letter.compose", answers)["letter"]
    assert kindverb(daemon, "letter", "show").stdout == letter["content"] + "\n"
