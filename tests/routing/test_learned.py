"""What was learnt is used only where the words still mean the same; all else is asked about."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from hypothesis import given, settings, strategies as st
from pydantic import ValidationError
import pytest

from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.memory.ha_store import read_items
from custom_components.bellboard.memory.lessons import (
    CORRECTION,
    MAX_LESSONS,
    LearnedDecision,
    LearnedDecisions,
    SentenceKey,
)
from custom_components.bellboard.nlu.loader import Language, async_get_language
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.learned import (
    LearnedRouter,
    Meaning,
    can_be_learnt,
    meaning_of,
    sentence_key,
)
from custom_components.bellboard.routing.models import Assignment, Source
from custom_components.bellboard.routing.reading import ReadingRouter
from custom_components.bellboard.routing.router import RoutedPart, RoutingRequest

from .conftest import CARDS, RequestFor

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
SAID = "The Reading Lamp deserves some sleep, please!"
LAMP = "light.reading_lamp"
ALL_AGENTS = [card.id for card in CARDS]


def lesson(sentence: str = "x", **values: Any) -> LearnedDecision:
    """Return a lesson that turns the reading lamp off, or one that differs from it."""
    off = Command(name="turn_off", targets=(LAMP,))
    fields = {
        "sentence": sentence,
        "language": "en",
        "agent_id": "light-agent",
        "actions": (off,),
        "fingerprint": "f",
        "source": "model",
        "learnt_at": NOW,
        "confirmed_at": NOW,
    }
    return LearnedDecision.model_validate({**fields, **values})


class Learned:
    """A router with one lesson that is in use, about `SAID` in the demo house."""

    def __init__(
        self, hass: HomeAssistant, request: RoutingRequest, catalog: CatalogSource
    ) -> None:
        self.hass = hass
        self.request = request
        self.catalog = catalog
        self.lessons = LearnedDecisions()
        self.reader = ReadingRouter(hass, catalog)
        self.router = LearnedRouter(hass, self.reader, self.lessons)

    async def learn(self, **values: Any) -> None:
        """Learn what is right at the moment, twice."""
        meaning = await self.meaning()
        spoken = sentence_key(SAID, self.request.language, None)
        for _ in range(2):
            self.lessons.confirm(lesson(spoken.sentence, fingerprint=meaning.fingerprint, **values))

    async def meaning(self, text: str = SAID, **options: Any) -> Meaning:
        """Return what a sentence can mean among the lights."""
        named: dict[str, Any] = {"domain": "light", "area_id": None, "agents": ALL_AGENTS}
        house = await self.reader.async_house(self.request.language)
        return meaning_of(
            self.hass,
            house.catalog,
            house,
            self.request.language,
            text,
            **{**named, **options},
        )

    async def route(self, text: str = SAID, **fields: Any) -> Assignment | None:
        """Return what is assigned to a sentence."""
        user_input = replace(self.request.user_input, text=text)
        request = replace(self.request, **{"user_input": user_input, **fields})
        [part] = await self.router.async_route(request, [RoutedPart(text)])
        return part.assignment


@pytest.fixture
async def learned(hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor) -> Learned:
    """Return a router that has learnt what `SAID` means."""
    catalog = CatalogSource(hass)
    catalog.async_listen()
    found = Learned(hass, request_for(SAID), catalog)
    await found.learn()
    return found


async def test_the_remembered_plan_is_given_to_the_agent(learned: Learned) -> None:
    part = await learned.route()
    assert part
    assert part.agent_id == "light-agent"
    assert part.source is Source.LEARNED
    assert part.instruction == SAID
    assert part.known == (Command(name="turn_off", targets=(LAMP,)),)
    assert part.reason == "The model decided so before, and it was right 2 times."
    # Looking changes nothing: who only asks who would answer asks twice.
    assert await learned.route() == part


async def test_only_the_same_words_are_the_same(learned: Learned) -> None:
    for text, taken in (
        ("please, the reading lamp deserves some sleep", True),
        ("THE READING LAMP DESERVES SOME SLEEP", True),
        ("the reading lamp deserves some sleep?", False),
        ("the reading lamp deserves some rest", False),
        ("the reading lamp", False),
        ("", False),
    ):
        assert bool(await learned.route(text)) is taken, text


async def test_what_is_assigned_already_or_only_a_part_stays_as_it_is(learned: Learned) -> None:
    taken = Assignment(agent_id="x", instruction=SAID, confidence=1, source=Source.REFLEX)
    for parts in (
        [RoutedPart(SAID, taken)],
        [RoutedPart(SAID), RoutedPart("and so on")],
        [RoutedPart("and so on")],
    ):
        assert await learned.router.async_route(learned.request, parts) == parts


async def test_it_is_not_used_elsewhere_or_when_others_are_there(
    hass: HomeAssistant, learned: Learned
) -> None:
    others = [card for card in CARDS if card.id != "light-agent"]
    for fields in (
        {"options": RouterOptions(learn_decisions=False)},
        {"is_trial": True},
        {"area_id": "kitchen"},
        {"language": await async_get_language(hass, "de")},
        {"cards": others},
        # Somebody else could be chosen now, or somebody could be chosen then.
        {"cards": CARDS[:-1]},
        {"cards": [*CARDS, CARDS[0].model_copy(update={"id": "garden-agent"})]},
    ):
        assert await learned.route(**fields) is None, fields
    # What is a barred agent's is still its own: who bars it declines it then.
    part = await learned.route(cards=others, barred_cards=CARDS[:1])
    assert part
    assert part.agent_id == "light-agent"


async def test_a_lesson_in_doubt_is_not_used(learned: Learned) -> None:
    [known] = learned.lessons.all
    learned.lessons.replace([known.model_copy(update={"confirmed": 1})])
    assert await learned.route() is None
    # Nor is an agent given what it has nothing to do with.
    await learned.learn(actions=(Command(name="turn_off", targets=("switch.x",)),))
    assert await learned.route() is None


async def test_what_was_said_just_now_is_asked_about(
    learned: Learned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.bellboard.routing.learned.utcnow", lambda: NOW)
    [known] = learned.lessons.all
    learned.lessons.note_said(known.spoken, NOW - timedelta(seconds=59))
    assert await learned.route() is None
    learned.lessons.note_said(known.spoken, NOW - timedelta(seconds=60))
    assert await learned.route()


async def test_what_means_something_else_now_is_not_used(
    hass: HomeAssistant, learned: Learned
) -> None:
    entities = er.async_get(hass)
    before = await learned.meaning()
    # Renamed, and named as before.
    entities.async_update_entity(LAMP, name="Old Lamp")
    assert await learned.route() is None
    entities.async_update_entity(LAMP, name=None)
    assert await learned.meaning() == before
    # Moved.
    attic = ar.async_get(hass).async_create("Attic").id
    entities.async_update_entity(LAMP, name="Reading Lamp", area_id=attic)
    assert await learned.route() is None
    entities.async_update_entity(LAMP, name=None, area_id=None)
    # Another one is called so too.
    entities.async_update_entity("light.floor_lamp", aliases=["Reading Lamp"])
    assert await learned.route() is None
    entities.async_update_entity("light.floor_lamp", aliases=[])
    # Something of another kind has a name in it.
    entities.async_update_entity("fan.bedroom_fan", aliases=["sleep"])
    assert await learned.route() is None
    entities.async_update_entity("fan.bedroom_fan", aliases=[])
    assert await learned.route()
    # What nobody speaks of may change as it likes.
    entities.async_update_entity("light.kitchen_pendant", name="Moon")
    assert await learned.route()
    async_expose_entity(hass, "conversation", LAMP, should_expose=False)
    assert await learned.route() is None


async def test_what_is_named_is_meant_unless_it_is_a_place_too(
    hass: HomeAssistant, learned: Learned
) -> None:
    kitchen = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}
    assert (await learned.meaning("cosy in the kitchen")).holds(kitchen)
    assert (await learned.meaning("cosy in the kitchen")).holds({"light.kitchen_counter"})
    assert not (await learned.meaning("cosy in the kitchen")).holds({LAMP})
    # Not the lights, however sure somebody was.
    assert not (await learned.meaning("hush the kitchen speaker")).holds(kitchen)
    er.async_get(hass).async_update_entity("media_player.kitchen_speaker", aliases=["Kitchen"])
    assert (await learned.meaning("cosy in the kitchen")).holds(kitchen)


@pytest.mark.parametrize(
    "text",
    [
        "send the reading lamp to sleep",
        "a little sunshine in the kitchen",
        "could you make the kitchen cosy?",
        "make the kitchen cosy and blue",
    ],
)
def test_what_always_means_the_same_can_be_learnt(english: Language, text: str) -> None:
    assert can_be_learnt(text, english)


@pytest.mark.parametrize(
    "text",
    [
        # Questions.
        "is the lamp cosy",
        "the lamp is cosy?",
        "could the lamp be cosy or not, what do you think, and why is that so? " * 3,
        # About something that is not named.
        "turn it off",
        "make them cosy",
        "a bit brighter",
        "the same for this one in the kitchen",
        "send the other lamp to sleep",
        "make that lamp cosy",
        # Not for now.
        "send the lamp to sleep in ten minutes",
        "send the lamp to sleep if it rains",
        "don't send the lamp to sleep",
        "send the lamp to sleep at 22:00",
        # Two at once.
        "make the lamp cosy and turn off the fan",
    ],
)
def test_what_means_something_else_each_time_cannot(english: Language, text: str) -> None:
    assert not can_be_learnt(text, english)


@pytest.mark.parametrize(
    ("code", "text", "able"),
    [
        ("de", "schick die Leselampe schlafen", True),
        ("de", "mach sie aus", False),
        ("de", "schick die Leselampe in zehn Minuten schlafen", False),
        ("fr", "envoie la lampe de lecture dormir", True),
        ("fr", "éteins-la", False),
        ("es", "manda la lámpara de lectura a dormir", True),
        ("es", "apágala", False),
        ("nl", "stuur de leeslamp naar bed", True),
        ("nl", "zet hem uit", False),
    ],
)
async def test_it_is_the_same_in_every_language(
    hass: HomeAssistant, code: str, text: str, *, able: bool
) -> None:
    assert can_be_learnt(text, await async_get_language(hass, code)) is able


def test_lessons_are_counted_and_replaced() -> None:
    changes: list[int] = []
    lessons = LearnedDecisions(lambda: changes.append(len(lessons.all)))
    first = lesson()
    lessons.confirm(first)
    assert not first.is_in_use
    later = lesson(fingerprint="g", confirmed_at=NOW + timedelta(days=1), source="escalation")
    lessons.confirm(later)
    [known] = lessons.all
    assert known.is_in_use
    assert (known.confirmed, known.learnt_at, known.confirmed_at) == (2, NOW, later.confirmed_at)
    assert (known.fingerprint, known.source) == ("g", "escalation")
    lessons.use(known.spoken, later.confirmed_at)
    assert (lessons.all[0].used, lessons.all[0].used_at) == (1, later.confirmed_at)
    # Decided otherwise.
    lessons.confirm(lesson(agent_id="home-agent"))
    assert [(entry.agent_id, entry.confirmed) for entry in lessons.all] == [("home-agent", 1)]
    assert lessons.drop(known.spoken)
    assert not lessons.drop(known.spoken)
    lessons.use(known.spoken, NOW)
    assert changes == [1, 1, 1, 1, 0]


def test_what_was_of_use_longest_ago_goes_first() -> None:
    lessons = LearnedDecisions()
    for number in range(MAX_LESSONS):
        lessons.confirm(lesson(f"s{number}"))
    lessons.use(SentenceKey("s0", "en", None), NOW)
    lessons.confirm(lesson("one more"))
    assert len(lessons.all) == MAX_LESSONS
    sentences = [entry.sentence for entry in lessons.all]
    assert sentences[0] == "s2"
    assert sentences[-2:] == ["s0", "one more"]
    lessons.replace([lesson(f"t{number}") for number in range(MAX_LESSONS + 5)])
    assert lessons.all[0].sentence == "t5"


def test_what_a_person_corrected_stays_longest() -> None:
    assert not LearnedDecisions().has_corrections
    lessons = LearnedDecisions()
    lessons.confirm(lesson("corrected", source=CORRECTION))
    for number in range(MAX_LESSONS + 5):
        lessons.confirm(lesson(f"s{number}"))
    assert len(lessons.all) == MAX_LESSONS
    assert lessons.all[0].sentence == "corrected"
    assert lessons.has_corrections
    # What a model decides later neither replaces it nor makes it its own.
    lessons.confirm(lesson("corrected", agent_id="home-agent"))
    lessons.confirm(lesson("corrected"))
    [kept] = [each for each in lessons.all if each.sentence == "corrected"]
    assert (kept.agent_id, kept.source) == (lesson().agent_id, CORRECTION)
    lessons.replace([lesson(f"t{number}", source=CORRECTION) for number in range(MAX_LESSONS + 1)])
    assert [len(lessons.all), lessons.all[0].sentence] == [MAX_LESSONS, "t1"]
    lessons.replace([])
    assert not lessons.has_corrections


def test_what_was_heard_and_done_last_is_bounded() -> None:
    lessons = LearnedDecisions()
    for number in range(MAX_LESSONS + 1):
        lessons.note_said(SentenceKey(str(number), "en", None), NOW)
        lessons.confirm(lesson(str(number)))
        lessons.note_last(str(number), SentenceKey(str(number), "en", None))
    assert not lessons.was_just_said(SentenceKey("0", "en", None), NOW)
    assert lessons.was_just_said(SentenceKey("1", "en", None), NOW)
    assert not lessons.unlearn("1")
    assert lessons.unlearn(str(MAX_LESSONS))
    # Once is enough.
    assert not lessons.unlearn(str(MAX_LESSONS))


def test_a_lesson_survives_being_written() -> None:
    known = lesson(
        area_id="study",
        actions=(Command(name="set", parameters={"percent": 40}, targets=(LAMP,)),),
        used=3,
        used_at=NOW,
    )
    assert read_items([known.as_json()], LearnedDecision.model_validate) == ([known], 0)


@pytest.mark.parametrize(
    "values",
    [
        {"sentence": ""},
        {"sentence": "x" * 201},
        {"confirmed": 0},
        {"used": -1},
        {"actions": ()},
        {"learnt_at": "yesterday"},
        {"learnt_at": "2026-05-04T12:00:00"},
        {"actions": ({"name": "turn_off"},)},
        {"actions": ({"name": "", "targets": [LAMP]},)},
        {"actions": ({"name": "set", "targets": [LAMP], "parameters": {"x": [1]}},)},
        {"actions": ({"name": "set", "targets": [LAMP], "parameters": {"x": "y" * 300}},)},
        {"actions": ({"name": "set", "targets": [f"light.{n}" for n in range(101)]},)},
    ],
)
def test_what_is_out_of_bounds_is_no_lesson(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        lesson(**values)
    assert read_items(
        [{**lesson().as_json(), **values}, lesson().as_json()], LearnedDecision.model_validate
    ) == ([lesson()], 1)


def _changed(keys: list[str]) -> Iterator[st.SearchStrategy[Any]]:
    """Yield objects like a lesson's, in which some values are anything."""
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    )
    yield anything
    yield st.dictionaries(st.sampled_from(keys), anything).map(lambda d: lesson().as_json() | d)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(*_changed(list(lesson().as_json()))), max_size=3))
def test_whatever_stands_in_the_file_is_read(items: list[Any]) -> None:
    lessons, broken = read_items(items, LearnedDecision.model_validate)
    assert len(lessons) + broken == len(items)
    for known in lessons:
        assert known.domain
        assert read_items([known.as_json()], LearnedDecision.model_validate) == ([known], 0)
