"""Bellboard's page in the sidebar: a turn is seen as it comes, understood, tried, corrected, and right from then on."""

from collections.abc import AsyncGenerator
import json
import re

from demonstration.browser import PATIENCE_MS, Screen, signed_in
from demonstration.household import Owner
from playwright.async_api import Browser, Page, expect
import pytest

from .console import Console
from .home import Home
from .people import resident
from .sidebar import Meant, SidebarPage

pytestmark = pytest.mark.browser

PHONE = Screen(width=390, height=844)
TABS = ("turns", "try", "evaluation", "learned", "agents", "policies", "health")
CASES = "bellboard_cases.yaml"


@pytest.fixture
async def panel(page: Page, home: Home) -> SidebarPage:
    """Return the page in the sidebar, with its turns shown."""
    found = SidebarPage(page, home.url)
    await found.open()
    return found


@pytest.fixture
async def forgotten(home: Home) -> AsyncGenerator[None]:
    """Forget what a test taught."""
    yield
    await home.api.post("/api/services/bellboard/forget_learned", {})


async def test_it_is_in_the_sidebar_and_says_so_where_nothing_was_said_yet(
    page: Page, home: Home
) -> None:
    await page.goto(f"{home.url}/home")
    await page.get_by_role("link", name="Bellboard").click()
    panel = SidebarPage(page, home.url)
    await expect(panel.part("tab-turns")).to_be_visible()
    await expect(panel.part("empty").or_(panel.part("turns"))).to_be_visible()


async def test_a_turn_comes_as_it_is_taken_and_shows_all_that_led_to_its_answer(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "set the floor lamp to 35 percent"
    await expect(panel.turn(said)).to_have_count(0)
    turn = await home.say(assistant, said)
    await expect(panel.turn(said)).to_contain_text("Lights", timeout=5000)

    await panel.look_at_turn(said)

    await expect(panel.part("turn-reply")).to_contain_text(turn.reply)
    await expect(panel.part("section-stages")).to_contain_text("ms")
    await expect(panel.part("word").filter(has_text="35").first).to_be_visible()
    await expect(panel.part("section-candidates")).to_contain_text("Lights")
    plan = panel.part("section-plan")
    await expect(plan).to_contain_text("light.turn_on")
    await expect(plan).to_contain_text("Floor Lamp")
    await expect(plan).to_contain_text("brightness_pct: 35")
    await expect(panel.part("section-states")).to_contain_text("Floor Lamp")
    await expect(panel.part("section-conversation")).to_contain_text(said)
    await panel.part("back").click()
    await expect(panel.part("turns")).to_be_visible()


async def test_turns_are_found_by_words_agent_and_outcome(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    await home.say(assistant, "turn off the desk lamp")
    await home.say(assistant, "lock the front door")
    await panel.part("turns-search").fill("desk")
    await expect(panel.turn("turn off the desk lamp")).to_be_visible()
    await expect(panel.turn("lock the front door")).to_have_count(0)
    await panel.part("turns-search").fill("")
    await panel.part("filter-agent").select_option("light-agent")
    await expect(panel.turn("turn off the desk lamp")).to_be_visible()
    await expect(panel.turn("lock the front door")).to_have_count(0)
    await panel.part("filter-none").click()
    await expect(panel.turn("lock the front door")).to_be_visible()
    await panel.part("filter-slow").check()
    await panel.part("filter-slow-seconds").fill("50")
    await panel.part("filter-slow-seconds").press("Tab")
    await expect(panel.part("turn")).to_have_count(0)


async def test_a_report_for_others_tells_neither_what_was_said_nor_who_lives_there(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "turn on the bedside lamp"
    await home.say(assistant, said)
    await panel.look_at_turn(said)
    await panel.part("export").click()
    for kind in ("json", "markdown"):
        await panel.part("export-kind").select_option(kind)
        text = await panel.part("export-text").inner_text()
        assert "light.turn_on" in text
        assert "edside" not in text
        if kind == "json":
            assert json.loads(text)


async def test_a_try_touches_nothing_and_is_done_only_after_a_yes(
    panel: SidebarPage, home: Home
) -> None:
    await home.api.post("/api/services/light/turn_off", {"entity_id": "light.kitchen_light"})
    before = await home.states()
    await panel.look("try")
    await panel.try_sentence("turn on the kitchen light")
    await expect(panel.part("result-calls")).to_contain_text("light.turn_on")
    assert await home.states() == before

    await panel.part("really").click()
    await panel.part("really-no").click()
    assert await home.states() == before
    await panel.part("really").click()
    await panel.part("really-yes").click()
    await expect(panel.part("done")).to_be_visible()
    assert (await home.states())["light.kitchen_light"][0] == "on"


async def test_another_threshold_is_seen_beside_the_present_one(panel: SidebarPage) -> None:
    await panel.look("try")
    await panel.part("try-text").fill("turn on the kitchen light")
    await panel.part("compare").check()
    await panel.part("compare-threshold").fill("0.95")
    await panel.part("try").click()
    threshold = panel.part("fact-threshold")
    await expect(threshold).to_contain_text("95")
    await expect(panel.part("comparison")).to_contain_text("light.turn_on")


@pytest.mark.usefixtures("forgotten")
async def test_what_was_wrong_is_right_after_its_correction_and_wrong_again_once_forgotten(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "let the stories begin"
    first = await home.say(assistant, said)
    assert not first.changes
    await panel.look_at_turn(said)
    await panel.correct(Meant(["light.floor_lamp"], "set", {"percent": "20"}), keep="learn")
    await expect(panel.part("turn-corrected")).to_be_visible()

    await home.api.post("/api/services/light/turn_off", {"entity_id": "light.floor_lamp"})
    second = await home.say(assistant, said)
    assert second.changes["light.floor_lamp"]["to"] == "on"
    assert second.llm["calls"] == 0

    await panel.look("learned")
    lesson = panel.part("lesson").filter(has_text=said)
    await expect(lesson).to_contain_text("Floor Lamp")
    await lesson.locator("[data-test=forget]").click()
    await expect(lesson).to_have_count(0)
    await home.api.post("/api/services/light/turn_off", {"entity_id": "light.floor_lamp"})
    third = await home.say(assistant, said)
    assert not third.changes


async def test_a_name_that_was_not_known_is_known_after_its_correction(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    await home.api.post("/api/services/light/turn_off", {"entity_id": "light.desk_lamp"})
    said = "turn on the anglepoise"
    assert not (await home.say(assistant, said)).changes
    await panel.look_at_turn(said)
    await panel.correct(Meant(["light.desk_lamp"], "", {"alias": "anglepoise"}), keep="alias")
    turn = await home.say(assistant, said)
    assert turn.changes["light.desk_lamp"]["to"] == "on"


async def test_a_case_is_kept_run_and_seen_to_pass(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "turn off the desk lamp"
    await home.say(assistant, said)
    await panel.look_at_turn(said)
    await panel.correct(Meant(["light.desk_lamp"], "turn_off", {}), keep="case")

    await panel.look("evaluation")
    await expect(panel.part("case").filter(has_text=said)).to_be_visible()
    report = panel.part("evaluation-report")
    await panel.part("evaluation-run").click()
    await expect(report).to_contain_text("Passed: 1")
    await expect(report).to_contain_text("From the next run on")
    await panel.look("turns")
    await panel.look("evaluation")
    await panel.part("evaluation-run").click()
    await expect(report).to_contain_text("Passed: 1")
    await expect(report).not_to_contain_text("From the next run on")


async def test_what_is_planned_is_seen_and_cancelled(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    await home.say(assistant, "open the garage door in 20 minutes")
    line = panel.part("planned").filter(has_text="open Garage Door")
    await expect(line).to_be_visible(timeout=5000)
    assert await panel.findings() == []

    await line.locator("[data-test=planned-cancel]").click()

    await expect(line).to_have_count(0)
    assert "Garage Door" not in (await home.say(assistant, "what is planned?")).reply


async def test_what_is_for_once_what_waits_and_what_repeats_are_apart_and_cancelled_there(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    await home.say(assistant, "cancel everything that is planned")
    await home.say(assistant, "turn off the floor lamp at 23:59")
    await home.say(assistant, "turn on the kitchen light when the garage door opens")
    told = await home.say(assistant, "turn on the desk lamp every day at seven", "yes")
    assert "07:00" in told.reply
    groups = once, waiting, repeating = [
        panel.part(f"planned-{kind}") for kind in ("once", "waiting", "repeating")
    ]
    await expect(once).to_contain_text("Floor Lamp", timeout=5000)
    await expect(once.locator("[data-test=planned-when]")).to_contain_text("23:59")
    await expect(repeating).to_contain_text("Desk Lamp")
    await expect(repeating.locator("[data-test=planned-when]")).to_have_text("every day at 07:00")
    await expect(waiting).to_contain_text("when the garage door opens")
    await expect(waiting).to_contain_text("Watched: Garage Door")
    assert await panel.findings() == []
    automations = [e for e in await home.api.get("/api/states") if "automation." in e["entity_id"]]
    assert len(automations) == 1

    for group in groups:
        await group.locator("[data-test=planned-cancel]").click()
        await expect(group).to_have_count(0)

    assert (await home.say(assistant, "what is planned?")).reply == "Nothing is planned."
    states = await home.api.get("/api/states")
    assert not [each for each in states if each["entity_id"].startswith("automation.")]


async def test_a_policy_is_tried_on_a_call(panel: SidebarPage) -> None:
    await panel.look("policies")
    await panel.part("policy-action").fill("lock.unlock")
    await panel.part("devices-search").fill("lock.front_door")
    await panel.page.locator("[data-test=device] input[value='lock.front_door']").check()
    await panel.part("policy-try").click()
    await expect(panel.part("policy-verdicts")).to_contain_text("Front Door")


async def test_rules_are_written_and_hold(panel: SidebarPage) -> None:
    await panel.look("policies")
    text, save = panel.part("policies-text"), panel.part("policies-save")
    before = await text.input_value()
    await expect(save).to_be_disabled()

    examples = panel.part("policies-example").locator("button")
    if not await examples.first.is_visible():
        await panel.part("policies-editor").locator("summary").click()
    for number in range(await examples.count()):
        await examples.nth(number).click()
    written = await text.input_value()
    await text.fill(f"{written}\n  - nonsense")
    await expect(panel.part("policies-fault")).to_contain_text("Line")
    await expect(save).to_be_disabled()

    await text.fill(written)
    await expect(panel.part("policies-check")).to_contain_text("Nothing is wrong")
    await save.click()
    await expect(panel.part("rule").filter(has_text="warm_enough")).to_have_count(1)
    await expect(panel.part("policies-error")).to_have_count(0)
    assert await panel.findings() == []

    await text.fill(before or "rules: []")
    await save.click()
    await expect(panel.part("rule").filter(has_text="quiet_evenings")).to_have_count(0)


@pytest.mark.parametrize(
    "page",
    [Screen(), Screen(dark=True), PHONE],
    ids=["light", "dark", "phone"],
    indirect=True,
)
async def test_everyone_can_read_it_and_it_fits_the_screen(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "turn on the bedside lamp"
    await home.say(assistant, said)
    found: dict[str, object] = {}
    for tab in TABS:
        await panel.look(tab)
        if tab == "try":
            await panel.try_sentence(said)
        found[tab] = await panel.findings(), await panel.overflow()
    await panel.look("turns")
    await panel.look_at_turn(said)
    found["turn"] = await panel.findings(), await panel.overflow()
    await panel.part("wrong").click()
    await expect(panel.part("correct")).to_be_visible()
    found["correct"] = await panel.findings(), await panel.overflow()
    assert found == dict.fromkeys(found, ([], 0))


@pytest.mark.parametrize("page", [Screen(dark=True)], indirect=True)
async def test_it_is_dark_where_that_is_liked(panel: SidebarPage) -> None:
    ground = await panel.part("tab-turns").evaluate(
        """part => {
            let root = part.getRootNode();
            return getComputedStyle(root.host).getPropertyValue("--primary-background-color");
        }"""
    )
    assert ground.strip() in {"#111", "#111111"}
    color = await panel.part("tab-try").evaluate("part => getComputedStyle(part).color")
    assert min(int(part) for part in re.findall(r"\d+", color)[:3]) > 120


async def test_it_can_be_used_by_keyboard_alone(
    panel: SidebarPage, home: Home, assistant: str
) -> None:
    said = "turn on the bedside lamp"
    await home.say(assistant, said)
    page = panel.page

    async def tab_to(name: str) -> None:
        for _ in range(80):
            focused = await page.evaluate(
                """() => {
                    let found = document.activeElement;
                    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
                    return found?.closest("[data-test]")?.dataset.test ?? "";
                }"""
            )
            if focused == name:
                return
            await page.keyboard.press("Tab")
        raise AssertionError(f"{name} is not reached")

    await tab_to("turn")
    await page.keyboard.press("Enter")
    await expect(panel.part("turn-utterance")).to_contain_text(said)
    await tab_to("wrong")
    await page.keyboard.press("Enter")
    await expect(panel.part("correct")).to_be_visible()
    await tab_to("correct-keep-learn")
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await tab_to("correct-send")
    await page.keyboard.press("Enter")
    await expect(panel.part("correct")).to_have_count(0)
    await expect(panel.part("turn-corrected")).to_be_visible()


@pytest.fixture
async def guest(home: Home) -> AsyncGenerator[Owner]:
    """Return somebody who lives there and administrates nothing."""
    async with resident(home.api) as found:
        yield found


async def test_who_administrates_nothing_has_no_such_page(
    home: Home, chromium: Browser, guest: Owner, assistant: str
) -> None:
    page, console = await signed_in(chromium, home.url, guest, Screen()), Console()
    console.listen_to(page)
    await page.goto(f"{home.url}/home")
    await page.locator("ha-sidebar a[href='/home']").wait_for(timeout=PATIENCE_MS)
    await expect(page.locator("ha-sidebar a[href='/bellboard']")).to_have_count(0)
    await page.goto(f"{home.url}/bellboard")
    await expect(page.locator("ha-sidebar")).to_be_visible()
    await expect(page.locator("bellboard-panel")).to_have_count(0)
    await page.context.close()
    assert not console.errors
