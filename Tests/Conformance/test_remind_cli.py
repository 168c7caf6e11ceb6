"""Reminders at the command line: what comes next and why, in words, in the person's language."""

import json
import unicodedata

import pytest

import bus as desktop
import harness
import timed
from person import Person

pytestmark = timed.MARKS
LANGUAGES = ("en", "ko", "ja", "zh-Hans")


def cells(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.fixture
def life(timed_daemon, bus, service):
    """A daemon at seven in the morning, as it comes, and a service that shows what comes."""
    return timed_daemon(bus=bus).start()


@pytest.fixture
def said(kindverb):
    """What a verb that succeeds says, with nothing beside it."""

    def run(daemon, *words, language="en", env=None):
        result = kindverb(daemon, "--language", language, *words, env={"TZ": daemon.zone, **(env or {})})
        assert (result.returncode, result.stderr) == (0, ""), result
        return result.stdout

    return run


def in_each_language(said, daemon, words, wanted):
    for language, text in zip(LANGUAGES, wanted):
        assert said(daemon, *words, language=language) == text


def test_off_as_it_comes(life, said):
    in_each_language(said, life, ["remind"], [
        "Morning: off.\nEvening: off.\n", "아침: 꺼져 있어요.\n저녁: 꺼져 있어요.\n", "朝：オフです。\n夜：オフです。\n",
        "早上：已关闭。\n晚上：已关闭。\n"])
    with Person(life, "remind") as person:
        assert "kindverb remind morning 08:00" in person.end()[1], "the next step, for a person"


def test_set_it_says_what_comes_next(life, said):
    assert said(life, "remind", "morning", "07:30") == "Morning: today 07:30.\n"
    assert said(life, "remind", "evening", "21:00") == "Evening: today 21:00.\n"
    assert said(life, "remind", "morning", "06:30") == "Morning: 06:30 has passed today; tomorrow 06:30.\n"
    in_each_language(said, life, ["remind", "morning", "07:00"], [
        "Morning: 07:00 has passed today; tomorrow 07:00.\n", "아침: 오늘 알림 시각(07:00)은 이미 지났어요. 내일 07:00에 알려요.\n",
        "朝：今日の 07:00 はもう過ぎました。明日 07:00 に知らせます。\n", "早上：今天的 07:00 已经过了；明天 07:00 提醒。\n"])
    assert said(life, "remind", "evening") == "Evening: today 21:00.\n"
    assert said(life, "remind", "evening", "off") == "Evening: off.\n"
    assert said(life, "remind", "evening", "on") == "Evening: today 21:00.\n"
    settings = life.call("reminder.settings.get")
    assert (settings["morningTime"], settings["eveningTime"], settings["eveningEnabled"]) == ("07:00", "21:00", True)


def test_recorded_already(life, said):
    life.remind(morningEnabled=True, morningTime="07:30", eveningEnabled=True, eveningTime="21:00")
    life.set_clock("2026-05-01 20:00")
    life.record("evening")
    in_each_language(said, life, ["remind"], [
        "Morning: tomorrow 07:30.\nEvening: this evening is already recorded; tomorrow 21:00.\n",
        "아침: 내일 07:30에 알려요.\n저녁: 오늘 저녁은 이미 기록했어요. 내일 21:00에 알려요.\n",
        "朝：明日 07:30 に知らせます。\n夜：今日の夜の分は記録済みです。明日 21:00 に知らせます。\n",
        "早上：明天 07:30 提醒。\n晚上：今天晚上已有记录；明天 21:00 提醒。\n"])
    life.record("evening", dateIso="2026-05-02")
    in_each_language(said, life, ["remind", "evening"], [
        "Evening: this evening is already recorded; tomorrow evening is already recorded; Sunday, 3 May 21:00.\n",
        "저녁: 오늘 저녁은 이미 기록했어요. 내일 저녁은 이미 기록했어요. 5월 3일(일) 21:00에 알려요.\n",
        "夜：今日の夜の分は記録済みです。明日の夜の分は記録済みです。5月3日（日） 21:00 に知らせます。\n",
        "晚上：今天晚上已有记录；明天晚上已有记录；5月3日（周日） 21:00 提醒。\n"])


def test_shown_already(life, said, service):
    life.remind(morningEnabled=True, morningTime="07:30")
    life.set_clock("2026-05-01 07:30")
    harness.until(lambda: life.history() == [("2026-05-01", "morning", "shown")])
    in_each_language(said, life, ["remind", "morning", "09:00"], [
        "Morning: the reminder for this morning was shown already; tomorrow 09:00.\n",
        "아침: 오늘 아침 알림은 이미 보여 드렸어요. 내일 09:00에 알려요.\n", "朝：今日の朝の通知はもう表示しました。明日 09:00 に知らせます。\n",
        "早上：今天早上的提醒已经显示过；明天 09:00 提醒。\n"])


def test_it_waits_for_a_service(timed_daemon, bus, said):
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="23:00")
    daemon.set_clock("2026-05-01 08:05")
    harness.until(lambda: daemon.history() == [("2026-05-01", "morning", "notShown")])
    in_each_language(said, daemon, ["remind", "morning"], [
        "Morning: the reminder for this morning is due but could not be shown yet; it can still come until 12:00; tomorrow 08:00.\n",
        "아침: 오늘 아침 알림은 시간이 됐지만 아직 보여 드리지 못했어요. 12:00까지 기다려 볼게요. 내일 08:00에 알려요.\n",
        "朝：今日の朝の通知は時間になりましたが、まだ表示できていません。12:00 まで待ちます。明日 08:00 に知らせます。\n",
        "早上：今天早上的提醒时间已到，但还没能显示，会等到 12:00；明天 08:00 提醒。\n"])
    daemon.set_clock("2026-05-02 00:30")
    harness.until(lambda: ("2026-05-01", "evening", "notShown") in daemon.history())
    assert "yesterday evening is due" in said(daemon, "remind") and "until 03:00; today 23:00" in said(daemon, "remind")


def test_clocks_are_put_forward(timed_daemon, bus, service, said):
    daemon = timed_daemon(bus=bus, zone="Europe/Berlin", at="2026-03-28 10:00").start()
    in_each_language(said, daemon, ["remind", "morning", "02:30"], [
        "Morning: 02:30 has passed today; tomorrow 03:00, because clocks are put forward over 02:30.\n",
        "아침: 오늘 알림 시각(02:30)은 이미 지났어요. 내일 03:00에 알려요. 그날은 시계가 앞당겨져서 02:30 시각이 없어요.\n",
        "朝：今日の 02:30 はもう過ぎました。明日 03:00 に知らせます。この日は時計が進められ、02:30 がないためです。\n",
        "早上：今天的 02:30 已经过了；明天 03:00 提醒，因为当天时钟拨快，没有 02:30。\n"])


@pytest.mark.parametrize("zone, warnings", [
    ("Asia/Soul", ["TZ names no time zone", "TZ에 적힌 시간대", "TZ のタイムゾーン", "找不到 TZ"]),
    (None, ["cannot be read", "읽을 수 없어서", "を読めない", "无法读取系统时区"])])
def test_a_zone_problem_is_a_warning(timed_daemon, kindverb, zone, warnings):
    daemon = timed_daemon(env={"TZ": zone} if zone else {}).start()
    if zone is None:
        broken = daemon.timed / "broken"
        broken.write_text("no zone")
        broken.rename(daemon.timed / "localtime")
    daemon.remind(morningEnabled=True)
    # A file that is broken for a moment is not believed.
    harness.until(lambda: daemon.call("reminder.upcoming")["zoneProblem"])
    for language, warning in zip(LANGUAGES, warnings):
        result = kindverb(daemon, "--language", language, "remind")
        assert result.returncode == 0 and result.stdout.count("\n") == 2 and warning in result.stderr, result
    answer = kindverb(daemon, "--json", "remind", "morning")
    assert json.loads(answer.stdout)["upcoming"]["zoneProblem"] == ("unknown_zone" if zone else "unreadable_file")


@pytest.mark.parametrize("time", ["24:00", "7:5", "٧:٣٠", "", "0730", "07:30:00", "7:30am", "０７:３０", " 07:30", "-1:00", "07:60", "of"])
def test_bad_times_are_refused_with_how_they_are_written(life, kindverb, time):
    before = life.call("reminder.settings.get")
    for language, hint in zip(LANGUAGES, ("write it as HH:MM", "HH:MM으로", "HH:MM の形で", "请写成 HH:MM")):
        result = kindverb(life, "--language", language, "remind", "morning", time)
        assert result.returncode == 3 and result.stdout == "" and hint in result.stderr, result
        assert "kindverb remind morning [HH:MM|on|off]" in result.stderr
    assert life.call("reminder.settings.get") == before


def test_no_word_steers_a_terminal(life, kindverb):
    for words in (["morning", "\x1b[2J"], ["\x1b[2J"], ["test", "\x9b31m"], ["history", "--before", "\x1b[2J"]):
        result = kindverb(life, "remind", *words)
        assert result.returncode in (1, 3) and not set("\x1b\x9b") & set(result.stdout + result.stderr), result


def test_a_wrong_word_is_told_the_nearest(life, kindverb):
    for words, hint in ((["mornin", "07:30"], "remind morning"), (["histry"], "remind history"), (["test", "noon"], "morning, evening"),
                        (["morning", "07:30", "08:00"], "08:00"), (["history", "x"], "x"), (["history", "--limit", "0"], "from 1"),
                        (["test", "--dry-run"], "--dry-run")):
        result = kindverb(life, "remind", *words)
        assert result.returncode == 3 and result.stdout == "" and hint in result.stderr, result
    assert life.call("reminder.settings.get")["updatedAt"] is None


def test_a_trial_changes_nothing(life, kindverb):
    result = kindverb(life, "--dry-run", "remind", "morning", "07:30")
    assert result.stdout == "Morning: every day at 07:30.\n" and "trial" in result.stderr
    answer = json.loads(kindverb(life, "--json", "--dry-run", "remind", "morning", "07:30").stdout)
    assert answer["settings"]["morningTime"] == "07:30" and answer["upcoming"] is None
    assert life.call("reminder.settings.get")["updatedAt"] is None


def test_test_shows_one_and_keeps_nothing(life, said, service):
    in_each_language(said, life, ["remind", "test"], [
        "The notification service has taken it. If nothing appears, notifications may be paused (do not disturb).\n",
        "알림 서비스에 넘겼어요. 아무것도 보이지 않으면 방해 금지 모드인지 확인해 주세요.\n",
        "通知サービスに渡しました。何も表示されない場合は、おやすみモードになっていないか確かめてください。\n",
        "已交给通知服务。如果什么都没出现，请看看是否开启了勿扰模式。\n"])
    bodies = [service.next("Notify")[1][3] for _ in LANGUAGES]
    assert bodies == ["Good morning", "좋은 아침이에요", "おはようございます", "早上好"]
    said(life, "remind", "test", "evening")
    assert service.next("Notify")[1][3] == "Good evening"
    assert json.loads(said(life, "remind", "test", "--json")) == {"outcome": "shown", "reason": None}
    assert life.history() == []


def test_test_says_why_not_and_what_to_do(timed_daemon, bus, kindverb):
    daemon = timed_daemon().start()
    for language, words in zip(LANGUAGES, ("session bus", "세션 버스", "セッションバス", "会话总线")):
        result = kindverb(daemon, "--language", language, "remind", "test")
        assert result.returncode == 1 and result.stdout == "" and words in result.stderr and "DBUS_SESSION_BUS_ADDRESS" in result.stderr
    daemon = timed_daemon(bus=bus).start()
    for language, words in zip(LANGUAGES, ("Start a notification service", "알림 서비스를 실행하고", "通知サービスを起動", "启动 dunst")):
        result = kindverb(daemon, "--language", language, "remind", "test")
        assert result.returncode == 1 and result.stdout == "" and words in result.stderr and "dunst" in result.stderr
    result = kindverb(daemon, "--json", "remind", "test")
    assert result.returncode == 1 and json.loads(result.stdout) == {"outcome": "notShown", "reason": "no_service"}
    service = desktop.FakeService(bus)
    try:
        service.answers["Notify"] = "org.freedesktop.DBus.Error.LimitsExceeded"
        for language, words in zip(LANGUAGES, ("refused", "거절", "断られました", "拒绝")):
            result = kindverb(daemon, "--language", language, "remind", "test")
            assert result.returncode == 1 and words in result.stderr, result
    finally:
        service.close()


def test_history(life, said, kindverb, service):
    in_each_language(said, life, ["remind", "history"], [
        "No reminder has been due yet.\n", "아직 알릴 시간이 된 적이 없어요.\n", "まだ通知の時間になったことはありません。\n", "还没有到过提醒时间。\n"])
    life.remind(morningEnabled=True, morningTime="08:00", eveningEnabled=True, eveningTime="21:00")
    life.set_clock("2026-05-01 09:12")
    harness.until(lambda: len(life.history()) == 1)
    service.signal("ActionInvoked", "us", (1, "default"))
    harness.until(lambda: life.call("reminder.history")["items"][0]["activatedAt"])
    life.record("evening", dateIso="2026-05-01")
    life.set_clock("2026-05-01 21:00")
    life.set_clock("2026-05-02 14:00")
    life.set_clock("2026-05-02 21:00")
    harness.until(lambda: len(life.history()) == 4)
    lines = said(life, "remind", "history").splitlines()
    assert lines == ["2026-05-02 Sa\tevening\tshown\t21:00", "2026-05-02 Sa\tmorning\tmissed\t14:00",
                     "2026-05-01 Fr\tevening\tsilent: recorded already\t21:00",
                     "2026-05-01 Fr\tmorning\tshown and clicked\t09:12\t1 h 12 min late"]
    for language, words in zip(LANGUAGES[1:], (
            ("토", "저녁", "보여 줌", "놓침", "이미 기록해서 알리지 않음", "보여 줌, 눌렀음", "1시간 12분 늦음"),
            ("土", "夜", "表示済み", "時間切れ", "記録済みのため通知なし", "表示、クリック済み", "1時間 12分遅れ"),
            ("六", "晚上", "已显示", "错过", "已有记录，未提醒", "已显示，已点击", "晚了 1 小时 12 分"))):
        shown = said(life, "remind", "history", language=language)
        assert all(word in shown for word in words), shown
    in_columns(life)
    assert said(life, "remind", "history", "--limit", "1").splitlines() == lines[:1]
    page = json.loads(said(life, "--json", "remind", "history", "--limit", "3"))
    assert [item["outcome"] for item in page["items"]] == ["shown", "missed", "suppressed"]
    assert said(life, "remind", "history", "--before", page["next"]).splitlines() == lines[3:]
    whole = json.loads(said(life, "--json", "remind", "history", "--all"))
    assert len(whole["items"]) == 4 and "next" not in whole
    result = kindverb(life, "remind", "history", "--before", "nonsense")
    assert result.returncode == 1 and result.stdout == ""


def in_columns(life):
    """The time stands under the time, however wide the words before it are, and no line is wider than the terminal."""
    for language in LANGUAGES:
        with Person(life, "remind", "history", language=language, env={"TZ": life.zone}) as person:
            assert person.end()[0] == 0
            lines = person.shown().splitlines()
        assert len(lines) == 4 and all(cells(line) <= 80 for line in lines)
        places = {cells(line[: line.index(time)]) for line, time in zip(lines, ("21:00", "14:00", "21:00", "09:12"))}
        assert len(places) == 1, lines


def test_history_of_what_waits_and_of_the_day_after(timed_daemon, bus, said):
    daemon = timed_daemon(bus=bus).start()
    daemon.remind(eveningEnabled=True, eveningTime="23:00")
    daemon.set_clock("2026-05-02 00:10")
    for language, words in zip(LANGUAGES, ("not shown yet", "아직 보여 주지 못함", "まだ表示できていない", "尚未显示")):
        harness.until(daemon.history)
        assert said(daemon, "remind", "history", language=language).split("\t")[2:] == [words, "2026-05-02 00:10\n"]


def test_as_json(life, said):
    answer = json.loads(said(life, "--json", "remind", "evening", "20:15"))
    assert answer["settings"] == life.call("reminder.settings.get") and answer["settings"]["eveningTime"] == "20:15"
    item = answer["upcoming"]["items"][0]
    assert (item["slot"], item["dateIso"], item["localTime"], item["state"]) == ("evening", "2026-05-01", "20:15", "scheduled")
    assert json.loads(said(life, "--json", "remind")).keys() == {"settings", "upcoming"}


def test_help_and_completions_know_it(kindverb):
    for language, word in zip(LANGUAGES, ("reminded", "알림", "通知", "提醒")):
        overview = kindverb(None, "--language", language, "help").stdout
        line = next(line for line in overview.splitlines() if line.startswith("  remind "))
        assert word in line and "morning, evening, test, history" in overview.replace("\n               ", " ")
    assert "remind history" in kindverb(None, "manual").stdout.replace("\\-", "-")
