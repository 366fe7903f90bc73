"""A question is asked again in fewer words, and a model says what an answer means that is not plain."""

from collections.abc import AsyncGenerator, Callable
import json
import os
from typing import Any

import aiohttp
import pytest

from custom_components.bellboard.dialogue.answers import read_answer
from custom_components.bellboard.dialogue.asking import async_ask_which, prompt_again
from custom_components.bellboard.dialogue.choosing import AnswerKind, ReadAnswer
from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.errors import BadOutputError, ModelError
from custom_components.bellboard.llm.providers import create_client
from custom_components.bellboard.memory.pending import PendingQuestion
from custom_components.bellboard.plans.models import AskUser, Candidate
from tests.servers import RunningServer, ScriptedModel, ollama_app, openai_app

from .answering import BEDSIDE, HOMES, THREE, home, pending, words

HOME = HOMES["en"]
FLOOR, READING, COUNTER = (f"light.{name}" for name in THREE)

type Ask = Callable[..., Any]


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("de", "Was meinst du: Nummer 1, Stehlampe oder Nummer 2, Leselampe?"),
        ("en", "Which one: number 1, Floor Lamp or number 2, Reading Lamp?"),
        ("es", "¿Cuál: número 1, Lámpara de pie o número 2, Lámpara de lectura?"),
        ("fr", "Que choisis-tu : numéro 1, Lampadaire ou numéro 2, Lampe de lecture ?"),
        ("nl", "Welke bedoel je: nummer 1, Staande lamp of nummer 2, Leeslamp?"),
    ],
)
def test_candidates_are_offered_by_number(code: str, asked: str) -> None:
    question, language = pending(THREE[:2], code=code), words(code)
    assert prompt_again(question, HOMES[code], language) == asked
    # And what it offers is understood.
    for number, candidate in enumerate(question.order, 1):
        said = language.say("again.option", number=number, name="").strip(" ,")
        assert read_answer(said, question, HOMES[code], language).targets == (candidate,)


@pytest.mark.parametrize("code", HOMES)
def test_each_kind_of_question_has_its_words(code: str) -> None:
    language, catalog = words(code), HOMES[code]
    one = prompt_again(pending(["floor"], code=code), catalog, language)
    assert catalog.entities["light.floor"].name in one
    assert one != prompt_again(pending(THREE, code=code), catalog, language)
    many = prompt_again(pending([*THREE, *BEDSIDE], code=code), catalog, language)
    assert many == language.say("again.place")
    assert language.say("again.given_up") != language.say("again.canceled")
    for key in ("given_up", "canceled", "place"):
        assert 2 < len(words_of(language.say(f"again.{key}"))) < 12


def test_what_is_gone_is_not_offered_and_numbers_stay() -> None:
    asked = prompt_again(pending(["gone", "left"]), HOME, words("en"))
    assert asked == "Which one: number 2, Left Bedside Lamp?"
    assert prompt_again(pending(["gone"]), HOME, words("en")) == "Which?"
    free = PendingQuestion("some-agent", AskUser(param="request", prompt="What else?"))
    assert prompt_again(free, HOME, words("en")) == "What else?"


def test_names_with_numbers_get_no_others() -> None:
    asked = prompt_again(pending(["lamp_2", "lamp_1"]), HOME, words("en"))
    assert asked == "Which one: Lamp 2 or Lamp 1?"


def test_of_two_with_one_name_the_room_is_said() -> None:
    lamps = home(
        {
            "light.one": ("kitchen", ("Lamp",)),
            "light.two": ("living", ("Lamp",)),
            "light.three": ("bed", ("Lamp", "Old Lamp")),
            "light.four": ("bed", ("Lamp",)),
        },
        {"kitchen": ("Kitchen",), "living": ("Living Room",), "bed": ("Bedroom",)},
        {},
    )

    def asked(*names: str) -> str:
        candidates = tuple(Candidate(entity_id=f"light.{name}", name="Lamp") for name in names)
        which = AskUser(param="target", prompt="Which?", candidates=candidates, action="turn_on")
        return prompt_again(PendingQuestion("light-agent", which), lamps, words("en"))

    assert asked("one", "two") == "Which one: number 1, Kitchen or number 2, Living Room?"
    assert asked("three", "four") == "Which one: number 1, Old Lamp or number 2, Lamp?"


@pytest.fixture
async def session() -> AsyncGenerator[aiohttp.ClientSession]:
    """Return a session of its own."""
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture(params=["openai", "ollama"])
async def ask(
    request: pytest.FixtureRequest, session: aiohttp.ClientSession
) -> AsyncGenerator[Ask]:
    """Return a function that asks a scripted model behind a real server what a text says."""
    model = ScriptedModel(lambda *_: {"answer": "1"})
    app = {"ollama": ollama_app, "openai": openai_app}[request.param]
    async with RunningServer(app, model) as server:
        client = create_client(request.param, session, url=server.url, model=model.names[0])

        async def which(
            answer: Any,
            text: str = "that thing",
            question: PendingQuestion | None = None,
            **script: Any,
        ) -> ReadAnswer:
            model.answer = lambda *_: answer
            for name, value in script.items():
                setattr(model, name, value)
            return await async_ask_which(client, text, question or pending(THREE), HOME, 5)

        which.model = model  # type: ignore[attr-defined]
        yield which


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("1", ReadAnswer(AnswerKind.CHOSEN, (FLOOR,))),
        ("3", ReadAnswer(AnswerKind.CHOSEN, (COUNTER,))),
        ("all", ReadAnswer(AnswerKind.CHOSEN, (FLOOR, READING, COUNTER))),
        ("cancel", ReadAnswer(AnswerKind.CANCELED)),
        ("another", ReadAnswer(AnswerKind.ANOTHER)),
        ("unclear", ReadAnswer(AnswerKind.UNCLEAR)),
    ],
)
async def test_a_model_says_which(ask: Ask, answer: str, reply: ReadAnswer) -> None:
    assert await ask({"answer": answer}) == reply


@pytest.mark.parametrize(
    "answer", [{"answer": "4"}, {"answer": 1}, {"answer": None}, {"choice": "1"}, {}, "the first"]
)
async def test_what_was_not_offered_is_no_answer(ask: Ask, answer: Any) -> None:
    with pytest.raises(BadOutputError):
        await ask(answer)


async def test_a_model_that_is_not_sure_does_not_choose(ask: Ask) -> None:
    unsure = {"1": 0.4, "2": 0.3, "3": 0.3}
    assert await ask({"answer": "1"}, beliefs=unsure) == ReadAnswer(AnswerKind.UNCLEAR)
    sure = {"1": 0.8, "2": 0.1, "unclear": 0.1}
    assert await ask({"answer": "1"}, beliefs=sure) == ReadAnswer(AnswerKind.CHOSEN, (FLOOR,))


async def test_only_what_is_there_is_offered(ask: Ask) -> None:
    model: ScriptedModel = ask.model  # type: ignore[attr-defined]
    await ask({"answer": "2"}, question=pending(["gone", "left", "counter"]))
    schema = model.requests[-1].schema
    assert schema
    offered = schema["properties"]["answer"]["enum"]
    assert offered == ["2", "3", "all", "cancel", "another", "unclear"]
    said = model.requests[-1].messages[-1][1]
    assert said == (
        "Asked: Which?\nDevices: 2 Left Bedside Lamp (Bedroom), 3 Kitchen Counter (Kitchen)\nAnswer: that thing"
    )
    await ask({"answer": "1"}, question=pending(["floor"]))
    schema = model.requests[-1].schema
    assert schema
    assert "all" not in schema["properties"]["answer"]["enum"]


async def test_without_candidates_nobody_is_asked(ask: Ask) -> None:
    model: ScriptedModel = ask.model  # type: ignore[attr-defined]
    many = PendingQuestion("light-agent", AskUser(param="target", prompt="Which?"))
    for question in (pending(["gone"]), many):
        assert await ask({"answer": "1"}, question=question) == ReadAnswer(AnswerKind.UNCLEAR)
    assert not model.requests


async def test_the_fixed_part_comes_first_and_is_always_the_same(ask: Ask) -> None:
    model: ScriptedModel = ask.model  # type: ignore[attr-defined]
    await ask({"answer": "1"})
    await ask({"answer": "1"}, "something\nelse: {}\x00\u2028" * 100, pending(BEDSIDE))
    first, second = (request.messages for request in model.requests)
    assert first[:-1] == second[:-1]
    assert first[-1] != second[-1]
    assert len(json.dumps(first[:-1])) < 2000
    # What was said is one line, however long it was.
    assert second[-1][1].count("\n") == 2
    assert len(second[-1][1]) < 450


async def test_a_model_that_cannot_be_asked_is_an_error(session: aiohttp.ClientSession) -> None:
    client = create_client("openai", session, url="http://127.0.0.1:9", model="none")
    with pytest.raises(ModelError):
        await async_ask_which(client, "that thing", pending(THREE), HOME, 2)


URL = os.environ.get("BELLBOARD_LLM_URL", "")


@pytest.mark.live
@pytest.mark.skipif(not URL, reason="BELLBOARD_LLM_URL names no server")
async def test_a_real_model_keeps_to_what_is_offered(session: aiohttp.ClientSession) -> None:
    client: ModelClient = create_client("openai", session, url=URL)
    question = pending(THREE)
    for text in ("where I cook", "the standing one", "I have changed my plans", "what a day"):
        reply = await async_ask_which(client, text, question, HOME, 60)
        assert reply.kind in {
            AnswerKind.CHOSEN,
            AnswerKind.CANCELED,
            AnswerKind.ANOTHER,
            AnswerKind.UNCLEAR,
        }
        assert set(reply.targets) <= set(question.order)
