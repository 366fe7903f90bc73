"""A turn: what is known of it from its beginning.

The context says who speaks, to which assistant, about which home.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Self

from homeassistant.components.conversation import ConversationInput
from homeassistant.util import dt as dt_util

from ..agents.base import AgentRequest, ReplyContext
from ..agents.speech import Voice
from ..assistant import Assistant
from ..dialogue.references import recent_targets
from ..domains.snapshot import StateSnapshot
from ..home.catalog import Catalog
from ..home.speaker import Rights, async_rights, speaker_area
from ..llm.ability import Contract
from ..llm.port import ModelPort, ModelUse
from ..memory.delayed import DelayedCommand, PlansInFocus, load_focus
from ..memory.habits import UsualChoices
from ..memory.models import Caller, TaskContext, TaskMessage
from ..memory.pending import PendingQuestion
from ..memory.turns import RememberedTurn, describe_turns, load_turns, states_before_last
from ..nlu.bounds import read_bounds
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language, async_get_language
from ..nlu.reading import Reading, read_tags
from ..plans.models import AskUser
from ..plans.runner import PlanRunner
from ..policy.engine import Interaction
from ..policy.file import call_history
from ..routing.models import Assignment, Source
from ..telemetry.trace import Speaker
from ..when import Schedule
from .decision import offered_agent, port_to
from .record import PartRecorder, TurnRecord
from .stages import DryRun
from .told_models import (
    Change,
    describe_before,
    describe_history,
    describe_opening,
    read_changes,
    render_persona,
)

type MaskedTextCallback = Callable[[str], None]
"""Is told what may be kept of a sentence in which a code was said, or may have been."""


@dataclass(frozen=True, slots=True)
class PlanningModel:
    """The model that plans for an agent, None for none; one that `is_capable` plans by itself."""

    model: ModelPort | None
    is_capable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """One turn, as it was when it began. It is made once; stages take it and return results.

    `user_input` is the sentence, `conversation_id` the session of the speaker whose task it belongs to. `catalog`
    holds what the speaker may read by their `rights`, `house` what words mean in the home, `area_id` is where they
    are. `history` is what was said before, `turns` what is remembered of the last turns (the newest last), `memory`
    the line that tells a router of the last one, and `changes` what they changed, with how it was;
    `before_last` is how what the last turn changed was.
    `record` collects what happens, `runner` runs all plans of the turn. `delayed` is the command that is due, where
    the sentence was given before, `focus` tells which of those that wait were spoken of last. With `dry_run` nothing
    is carried out, and `async_dry_run` tries a command for later. `asked` is how often it was asked in vain already
    what is meant. `answers` is the question that the sentence answers in free words. `voice` says words while they
    come. `unread_code_answer` is what was said to the question for a code, of which `user_input` has nothing;
    `on_masked` is told what may be kept of it after all. `opening` is the message with which somebody else began the
    conversation, where the sentence answers it, `agreed` the question in it that a yes was said to. `at_work_too`
    are the ids of the agents that nothing is handed to: they have parts of the sentence or had one done. `part_use`
    counts what the part at work asks of a model.
    """

    assistant: Assistant
    user_input: ConversationInput
    conversation_id: str
    language: Language
    catalog: Catalog
    house: HomeLexicon
    rights: Rights
    area_id: str | None
    history: tuple[TaskMessage, ...]
    turns: tuple[RememberedTurn, ...]
    memory: str
    changes: tuple[Change, ...]
    before_last: tuple[StateSnapshot, ...]
    record: TurnRecord
    runner: PlanRunner
    async_dry_run: DryRun
    delayed: DelayedCommand | None = None
    focus: PlansInFocus = field(default_factory=PlansInFocus)
    dry_run: bool = False
    asked: int = 0
    answers: PendingQuestion | None = None
    voice: Voice | None = None
    unread_code_answer: str = field(default="", repr=False)
    on_masked: MaskedTextCallback | None = None
    opening: str = ""
    agreed: str = ""
    part_use: ModelUse = field(default_factory=ModelUse)
    at_work_too: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """Return the sentence."""
        return self.user_input.text

    @property
    def reading(self) -> Reading:
        """Return the reading of the whole sentence."""
        return read_tags(self.text, self.language)

    @property
    def user_id(self) -> str | None:
        """Return the id of the speaker's user, None for an unknown one."""
        return self.user_input.context.user_id

    @property
    def caller(self) -> Caller:
        """Return the speaker as the owner of stored conversations."""
        return Caller(self.user_id)

    @property
    def asks_to_undo(self) -> bool:
        """Return whether the sentence asks to put back what was just changed."""
        return self.language.undo.kind_of(self.text) == "undo"

    @property
    def takes_back_last(self) -> bool:
        """Return whether the sentence only takes back the command before, which changed something: "never mind"."""
        kind, before = self.language.undo.kind_of(self.text), self.before_last
        is_played = all(one.domain == "media_player" for one in before)
        return kind is not None and not is_played if kind == "back" else bool(before and kind)

    @property
    def reply_context(self) -> ReplyContext:
        """Return the language and catalog for building replies."""
        return ReplyContext(hass=self.assistant.hass, language=self.language, catalog=self.catalog)

    @property
    def usual(self) -> UsualChoices:
        """Return the habits that may fill in an unspecified player or level."""
        options = self.assistant.options.habits
        return UsualChoices(
            self.assistant.habits,
            self.runner.interaction.at,
            has_players=options.last_player,
            has_levels=options.last_level,
        )

    def planner_of(self, agent_id: str) -> PlanningModel:
        """Return the model that plans for an agent: its own, else the assistant's. What is asked of it is counted."""
        models, own = self.assistant.models, self.assistant.own_model_of(agent_id)
        client = own.client if own else models.main
        is_capable = own.contract is Contract.CAPABLE if own else models.is_capable
        port = port_to(self.assistant, client, self.record.model, self.part_use)
        return PlanningModel(port, is_capable)

    @property
    def memory_for_router(self) -> str:
        """Return the lines about the last turns for the routing model."""
        is_capable = self.assistant.models.routing_contract is Contract.CAPABLE
        return self.history_prompt if is_capable else self.memory

    @property
    def history_prompt(self) -> str:
        """Return the last turns for a capable model: what was said and answered, and how things were before them."""
        return "\n".join(
            filter(None, (describe_history(self.history, self.changes), self.told_first))
        )

    @property
    def told_first(self) -> str:
        """Return the lines for a capable model about what the conversation began with, "" for nothing."""
        return describe_opening(self.opening, self.user_input.extra_system_prompt or "")

    def with_text(self, text: str) -> Self:
        """Return the context of the same turn with another wording of its sentence."""
        return replace(self, user_input=replace(self.user_input, text=text))

    def with_code_answer(self, text: str) -> Self:
        """Return the context with a text as its sentence, in place of the answer to the question for a code."""
        interaction = replace(self.runner.interaction, text=text)
        runner = replace(self.runner, interaction=interaction)
        return replace(self.with_text(text), unread_code_answer="", runner=runner)

    def at_work(self, part: Assignment) -> tuple[PartRecorder, Self]:
        """Return the record of a part, and the context in which it notes the part's plans and model calls.

        What is done now and put back later is judged as that.
        """
        noted, interaction = PartRecorder(self.record, part), self.runner.interaction
        if part.schedule and self.delayed is None:
            interaction = replace(interaction, schedule=part.schedule)
        runner = replace(self.runner, observer=noted, interaction=interaction)
        return noted, replace(self, runner=runner, part_use=noted.use)

    def with_code(self) -> Self:
        """Return the context of a turn in which the code was said that was asked for."""
        interaction = replace(self.runner.interaction, has_code=True)
        return replace(self, runner=replace(self.runner, interaction=interaction))

    def request_for(self, part: Assignment) -> AgentRequest:
        """Return the request of an agent: its own instruction, and nothing of the others."""
        planner = self.planner_of(part.agent_id)
        is_capable = planner.is_capable
        is_away = part.source is Source.FALLBACK and part.decline is not None
        return AgentRequest(
            hass=self.assistant.hass,
            instruction=part.instruction,
            user_input=self.user_input,
            language=self.language,
            catalog=self.catalog,
            area_id=self.area_id,
            rights=self.rights,
            intent=part.intent,
            model=planner.model,
            timeout=self.assistant.options.timeout,
            history=self.history,
            recent=part.about or recent_targets(self.turns),
            decline=self._decline(part),
            words=part.words,
            has_reply=part.has_reply,
            is_unknown=part.source is Source.FALLBACK,
            question=part.question,
            planner=self.assistant.planner,
            runner=self.runner,
            offer=offered_agent(self.assistant, self.user_input, is_away=is_away),
            data=part.data,
            house=self.house,
            is_capable=is_capable,
            asks=part.asks,
            acts=part.is_split and not part.asks,
            spoken=" ".join(filter(None, (self.agreed, part.spoken or self.text))),
            before=self._describe_before(part) if is_capable else "",
            told_first=self.told_first if is_capable else "",
            voice=self.voice,
            answers=self._answered_by(part),
            llm_apis=self.assistant.options.tools.llm_hass_api if is_capable else (),
            persona=render_persona(self.assistant.hass, self.assistant.options.tools.persona),
            usual=self.usual,
        )

    def _describe_before(self, part: Assignment) -> str:
        """Return the data of the home that the agent of a part is told beside its instruction, "" for nothing."""
        known = self.catalog.entities
        last = part.about or recent_targets(self.turns)
        names = [known[each].name for each in last if each in known]
        return describe_before(self.changes, names, self._named_beside(part))

    def _named_beside(self, part: Assignment) -> list[str]:
        """Return the names of the things and places that were said, for a part whose instruction names none."""
        own = read_bounds(part.instruction, self.house)
        if own.named or own.places or own.is_here or own.is_everywhere:
            return []
        said, catalog = read_bounds(part.spoken or self.text, self.house), self.catalog
        things = sorted((said.named & said.things) - said.excepted)
        places = sorted(said.places - said.excepted_places)
        found = [catalog.entities.get(each) for each in things]
        rooms = [catalog.areas.get(each) or catalog.floors.get(each) for each in places]
        return [each.name for each in (*rooms, *found) if each]

    def _decline(self, part: Assignment) -> str | None:
        """Return the reply key of why nobody acts on a part; what was just done is left as it is, not undone."""
        is_left = part.decline == "decline.negation" and self.before_last
        return "again.canceled" if is_left else part.decline

    def _answered_by(self, part: Assignment) -> AskUser | None:
        """Return the question that a part answers, where its agent asked it."""
        answers = self.answers
        return answers.question if answers and answers.agent_id == part.agent_id else None


async def async_create_context(
    assistant: Assistant,
    user_input: ConversationInput,
    task: TaskContext,
    record: TurnRecord,
    *,
    async_dry_run: DryRun,
    delayed: DelayedCommand | None = None,
    dry_run: bool = False,
    voice: Voice | None = None,
    unread_code_answer: str = "",
    on_masked: MaskedTextCallback | None = None,
) -> TurnContext:
    """Return the context of a turn that begins now, with the task of its conversation as it is."""
    hass = assistant.hass
    rights = await async_rights(hass, user_input.context.user_id)
    language = await async_get_language(hass, user_input.language)
    area_id = speaker_area(hass, user_input.satellite_id, user_input.device_id)
    record.speaker = Speaker(
        language.code,
        area_id,
        user_input.context.user_id,
        user_input.satellite_id,
        user_input.device_id,
    )
    record.session_id = task.session_id
    catalog = rights.readable(await assistant.catalog.async_get())
    history = tuple(task.history)
    house = await assistant.reader.async_house(language)
    interaction = Interaction(
        id=record.id,
        session_id=record.conversation_id,
        text=user_input.text,
        language=language.code,
        user_id=user_input.context.user_id,
        device_id=user_input.device_id,
        satellite_id=user_input.satellite_id,
        area_id=area_id,
        at=dt_util.as_local(delayed.judged_at(dt_util.utcnow())) if delayed else dt_util.now(),
        schedule=delayed.planned if delayed else Schedule(),
        is_due=delayed is not None and delayed.is_due,
        excepts=lambda: read_bounds(user_input.text, house).all_excepted(catalog),
        overrides=bool(language.overrides.search(user_input.text)),
    )
    return TurnContext(
        assistant=assistant,
        user_input=user_input,
        conversation_id=task.session_id,
        language=language,
        catalog=catalog,
        house=house,
        rights=rights,
        area_id=area_id,
        history=history,
        turns=load_turns(task),
        memory=describe_turns(task),
        before_last=states_before_last(task),
        changes=read_changes(task, catalog) if assistant.has_capable_model else (),
        record=record,
        runner=PlanRunner(
            hass=hass,
            context=user_input.context,
            executor=assistant.executor,
            policy=assistant.policy,
            interaction=interaction,
            history=call_history(hass),
            observer=PartRecorder(record),
            dry_run=dry_run,
            agreed=frozenset(delayed.rules if delayed else ()),
        ),
        async_dry_run=async_dry_run,
        delayed=delayed,
        focus=load_focus(task),
        dry_run=dry_run,
        voice=voice,
        unread_code_answer=unread_code_answer,
        on_masked=on_masked,
    )
