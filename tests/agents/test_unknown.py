"""Where it is not known what was meant: one question, and the offer to ask somebody else."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
import pytest

from custom_components.bellboard.agents.fallback import (
    ClarificationAgent,
    FallbackAgent,
    read_draft,
)
from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.agents.home import HomeAgent
from custom_components.bellboard.agents.models import AgentOffer
from custom_components.bellboard.llm.errors import (
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    UnreachableError,
)
from custom_components.bellboard.llm.models import Completion
from custom_components.bellboard.memory.pending import offer_of
from custom_components.bellboard.nlu.loader import async_get_language, available_languages
from tests.conftest import Setup
from tests.routing.reading import traces
from tests.servers import Fault, Message

from .conftest import Ask

LINE = "I'm not sure I understood. Could you say it another way?"
GENERAL = "Shall I ask the general assistant?"
HOME = "Shall I hand it to Home Assistant?"


def offer_to(agent: type[GeneralAgent | HomeAgent]) -> AgentOffer:
    """Return the offer to ask an agent, as its card has it."""
    return AgentOffer(agent.card.id, agent.card.offer)


class Drafting:
    """A model that writes a text, or fails, and notes what it is asked."""

    provider = model = "test"

    def __init__(self, text: str | ModelError, *, is_prompt: bool = True) -> None:
        self._text = text
        self._is_prompt = is_prompt
        self.asked: list[list[Message]] = []
        self.options: dict[str, Any] = {}

    def answers_within(self, seconds: float) -> bool:
        return self._is_prompt

    async def complete(self, messages: Any, **options: Any) -> Completion:
        self.asked.append(list(messages))
        self.options = options
        if isinstance(self._text, ModelError):
            raise self._text
        return Completion(text=self._text, model="test")


DRAFTS = {
    "Which room do you mean?": "Which room do you mean?",
    '"Which room do you mean?"\n': "Which room do you mean?",
    "**Which lamp shall it be?**": "Which lamp shall it be?",
    "Sorry. What would you like? A lamp?": "What would you like?",
    "<think>hm, a lamp? yes</think> What would you like?": "What would you like?",
    "Would you like it\nbrighter?": "Would you like it brighter?",
}
NO_QUESTIONS = {
    "pt": ["Acendi a luz, mais alguma coisa?", "Pronto, mais alguma coisa?"],
    "sv": ["Jag har tänt lampan, något mer?", "Klart, något mer?"],
    "it": ["Ho acceso la lampada, altro?", "Fatto, altro?"],
    "en": [
        "",
        "I turned the lamp on.",
        "?",
        "What?",
        "What would you like me to do with the lamp in the",
        "I've turned off the lamp, what else?",
        "I turned it off, is that right?",
        "The lamp is now on, ok?",
        "It has been done, anything else?",
        "Done, anything else?",
        "I'll open the door, ok?",
        "Shall I open the door with 4711?",
        "Is sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa your key?",
        "Do you mean {name}?",
        "See https://example.com ?",
        f"Which {'very ' * 40}bright lamp?",
        "<think>Which room do you mean?",
    ],
    "de": [
        "Ich habe das Licht eingeschaltet, sonst noch etwas?",
        "Das Licht ist jetzt an, sonst noch etwas?",
    ],
    "fr": [
        "J'ai allumé la lampe, autre chose ?",
        "La lampe est maintenant allumée, autre chose ?",
    ],
    "es": ["¿He encendido la luz, algo más?", "Listo, ¿algo más?"],
    "nl": ["Ik heb de lamp aangezet, nog iets?", "Klaar, nog iets?"],
    "pl": ["Włączyłem lampę, coś jeszcze?", "Gotowe, coś jeszcze?"],
}
QUESTIONS = {
    "en": ["What would you like there?", "Could you tell me which room you are in?"],
    "de": ["Welches Licht meinst du?", "Möchtest du es heller oder dunkler?"],
    "fr": ["Quelle lampe veux-tu allumer ?"],
    "it": ["Quale lampada intendi?"],
    "pt": ["Que luz queres acender?"],
    "sv": ["Vilken lampa menar du?"],
    "es": ["¿Qué luz quieres encender?"],
    "nl": ["Welke lamp bedoel je?"],
    "pl": ["O którą lampę chodzi?"],
}


async def test_a_draft_is_one_question_and_nothing_else(hass: HomeAssistant) -> None:
    english = await async_get_language(hass, "en")
    assert {written: read_draft(written, english) for written in DRAFTS} == DRAFTS
    for code in available_languages():
        language = await async_get_language(hass, code)
        for written in NO_QUESTIONS[code]:
            assert not read_draft(written, language), written
        for written in QUESTIONS[code]:
            assert read_draft(written, language) == written


@pytest.mark.parametrize(
    ("agent", "key"), [(GeneralAgent, "ask.offer_general"), (HomeAgent, "ask.offer_home")]
)
async def test_a_question_always_ends_with_the_offer(
    hass: HomeAssistant, ask: Ask, *, agent: type[GeneralAgent | HomeAgent], key: str
) -> None:
    models = (None, Drafting("Which one?"), Drafting("nonsense"), Drafting(ModelError("x")))
    for code in available_languages():
        language = await async_get_language(hass, code)
        for model in models:
            request = ask(
                "do the thing",
                model=model,
                is_capable=True,
                language=language,
                offer=offer_to(agent),
            )
            answer = await ClarificationAgent().async_answer(request)
            assert answer.content.endswith(f"? {language.say(key)}")
            assert answer.question
            assert answer.question.prompt == answer.content
            assert offer_of(answer.question) == (agent.card.id, "do the thing")
            assert answer.unknown


async def test_a_model_drafts_the_question_once_and_is_told_little(ask: Ask) -> None:
    model = Drafting("Which room do you mean?")
    request = ask(
        "do the\nthing " * 100,
        model=model,
        is_capable=True,
        offer=offer_to(GeneralAgent),
        timeout=30.0,
    )
    answer = await ClarificationAgent().async_answer(request)
    assert answer.content == f"Which room do you mean? {GENERAL}"
    [[system, user]] = model.asked
    assert '("en")' in str(system.content)
    assert "\n" not in str(user.content)
    assert len(str(user.content)) <= 300
    assert model.options["max_tokens"] == 40
    assert model.options["timeout"] == 4.0


async def test_a_model_that_cannot_draft_is_no_reason_not_to_ask(ask: Ask) -> None:
    for failure in (UnreachableError("x"), ModelTimeoutError("x"), CircuitOpenError(5.0)):
        request = ask("x y", model=Drafting(failure), is_capable=True, offer=offer_to(HomeAgent))
        answer = await ClarificationAgent().async_answer(request)
        assert answer.success
        assert answer.content == f"{LINE} {HOME}"


@pytest.mark.parametrize(("is_capable", "is_prompt"), [(False, True), (True, False)])
async def test_nobody_waits_for_a_model_that_drafts_badly_or_late(
    ask: Ask, *, is_capable: bool, is_prompt: bool
) -> None:
    model = Drafting("Which one?", is_prompt=is_prompt)
    request = ask("x y", model=model, is_capable=is_capable, offer=offer_to(HomeAgent))
    answer = await ClarificationAgent().async_answer(request)
    assert answer.content == f"{LINE} {HOME}"
    assert not model.asked


async def test_without_anybody_to_ask_nothing_is_offered(ask: Ask) -> None:
    answer = await ClarificationAgent().async_answer(ask("x y"))
    assert answer.content == LINE
    assert answer.question
    assert not answer.question.data
    assert offer_of(answer.question) is None


async def test_the_users_own_words_are_said_with_the_offer(ask: Ask) -> None:
    model = Drafting("Which one?")
    request = ask("x", words="Come again?", model=model, offer=offer_to(HomeAgent))
    answer = await ClarificationAgent().async_answer(request)
    assert answer.content == f"Come again? {HOME}"
    assert answer.question
    assert offer_of(answer.question) == ("home-agent", "x")
    assert answer.unknown
    assert not model.asked


async def test_what_is_declined_is_understood_and_asks_nothing(ask: Ask) -> None:
    codes = intent.IntentResponseErrorCode
    unknown = await FallbackAgent().async_answer(ask("x", offer=offer_to(GeneralAgent)))
    assert unknown.content == f"{LINE} {GENERAL}"
    assert unknown.unknown
    declined = await FallbackAgent().async_answer(
        ask("x", decline="decline.not_here", offer=offer_to(GeneralAgent))
    )
    assert declined.question is None
    assert declined.content == "I can't do that here."
    assert (declined.unknown, declined.error_code) == (False, codes.FAILED_TO_HANDLE)


def doubting() -> Any:
    """Return the answers of a model that is not sure who is meant, and then talks."""

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        if schema is None:
            return "Forty-two."
        if "agentId" in schema["properties"]:
            return {"agentId": "light"}
        return {"actions": [{"action": "turn_on"}]}

    return answer


async def asked(speak: Setup, **options: Any) -> Any:
    """Return someone who was just asked what they meant, and what was said."""
    speaker = await speak(doubting(), **options)
    assert speaker.model
    speaker.model.beliefs = {"light": 0.55, "music": 0.45}
    return speaker, await speaker.say("I could do with the kitchen counter")


async def test_who_is_unsure_asks_and_offers(hass: HomeAssistant, speak: Setup) -> None:
    speaker, said = await asked(speak)
    assert said.reply == f"{LINE} {GENERAL}"
    assert said.result.continue_conversation
    assert said.calls == []
    # For the decision; a small model drafts no question.
    assert all(each.schema for each in speaker.model.requests)
    assert traces(hass)[-1].model.calls == len(speaker.model.requests)


async def test_a_yes_gives_the_request_to_whom_was_offered(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, _ = await asked(speak)
    said = await speaker.say("yes please")
    assert said.reply == "Forty-two."
    assert traces(hass)[-1].agents[0]["id"] == "general-agent"
    assert speaker.model.requests[-1].messages[-1].content == "I could do with the kitchen counter"
    assert not said.result.continue_conversation


async def test_a_no_leaves_it(speak: Setup) -> None:
    speaker, _ = await asked(speak)
    said = await speaker.say("no")
    assert said.reply == "All right, I leave it as it is."
    assert said.calls == []
    assert not said.result.continue_conversation


async def test_anything_else_is_a_new_way_of_saying_it(hass: HomeAssistant, speak: Setup) -> None:
    speaker, _ = await asked(speak)
    said = await speaker.say("turn on the kitchen counter")
    assert said.reply == "Kitchen Counter was on already."
    assert hass.states.is_state("light.kitchen_counter", "on")


async def test_nonsense_is_not_passed_on(ask: Ask) -> None:
    model = Drafting("I turned on the kitchen counter.")
    request = ask("x y", model=model, is_capable=True, offer=offer_to(GeneralAgent))
    answer = await ClarificationAgent().async_answer(request)
    assert model.asked
    assert answer.content == f"{LINE} {GENERAL}"


def writing(decision: str) -> Any:
    """Return a model that decides with a text of its own, and talks."""
    return lambda _messages, schema: "Forty-two." if schema is None else decision


@pytest.mark.parametrize(("contract", "reply"), [("small", LINE), ("capable", f"{LINE} {HOME}")])
async def test_only_who_is_eligible_and_could_do_it_is_offered(
    speak: Setup, contract: str, reply: str
) -> None:
    speaker = await speak(
        writing('{"agentId": "butler"}'),
        scope={"rules": [{"agents": ["general-agent"], "areas": ["office"]}]},
        contract=contract,
        router={"default_prompts": "contract"},
    )
    assert (await speaker.say("I could do with the kitchen counter")).reply == reply


# What becomes of a sentence that no router understood, by what a model decides and the owner's options.
UNKNOWN: dict[str, tuple[str, dict[str, Any], str]] = {
    "malformed": ("{nonsense", {}, LINE),
    "an unknown agent": ('{"agentId": "butler"}', {}, LINE),
    "the owner's words": (
        '{"agentId": "butler"}',
        {"fallback_reason_template": "What do you mean?"},
        "What do you mean?",
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
async def test_what_nobody_understood_always_ends_with_the_offer(
    hass: HomeAssistant, speak: Setup, case: str
) -> None:
    decision, router, prompt = UNKNOWN[case]
    speaker = await speak(writing(decision), router=router)
    said = await speaker.say("I could do with the kitchen counter")
    assert said.reply == f"{prompt} {GENERAL}"
    assert said.result.continue_conversation
    assert said.calls == []
    trace = traces(hass)[-1]
    [classified] = [s for s in trace.stages if s["stage"] == "intent_classified"]
    assert (classified["payload"]["intent_id"], classified["level"]) == (None, "warn")
    [respond] = [s for s in trace.stages if s["stage"] == "respond"]
    assert (respond["payload"]["fallback"], respond["level"]) == (True, "warn")
    assert classified["payload"]["unknown_intent"] is respond["payload"]["unknown_intent"] is True
    assert (await speaker.say("yes")).reply == "Forty-two."
    assert traces(hass)[-1].agents[0]["id"] == "general-agent"


async def test_it_is_asked_so_often_and_then_left(speak: Setup) -> None:
    speaker = await speak(writing("{nonsense"))
    said = await speaker.say("I could do with the kitchen counter")
    asked = 0
    while said.result.continue_conversation:
        assert said.reply == f"{LINE} {GENERAL}"
        asked += 1
        assert asked <= 2
        said = await speaker.say("I could do with the kitchen counter")
    assert asked == 2
    assert said.reply == "Let's leave it. Nothing was changed."


async def test_a_server_that_is_away_is_told_and_not_offered(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(writing("{}"))
    assert speaker.server
    await speaker.server.suffer(Fault("stopped"))
    said = await speaker.say("I could do with the kitchen counter")
    assert said.reply == "I can't reach the language model right now."
    assert not said.result.continue_conversation
    respond = traces(hass)[-1].stages[-1]
    assert (respond["payload"]["fallback"], respond["payload"]["unknown_intent"]) == (True, True)
    assert respond["level"] == "warn"
