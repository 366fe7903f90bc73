"""Other ways to ask for an agent, side by side with the one that is used; see `ablation.py`."""

import argparse
import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
import json
import logging
from pathlib import Path
from statistics import fmean, median
import time
from typing import Any
from unittest.mock import patch

from custom_components.bellboard.agents.models import AgentCard, label
from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.llm.logprobs import choice_distribution
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing import evidence
from custom_components.bellboard.routing.choice import answering_cards
from custom_components.bellboard.routing.guard import GuardRouter
from custom_components.bellboard.routing.prompt import choice_schema, fixed_messages
from custom_components.bellboard.routing.vocabulary import VocabularyRouter

from .cases import Case, labels_of, own_cases, read_cases, sample
from .decisions import CARDS, OPTIONS, SECONDS, Decider, open_decider
from .routing_suite import as_label

type Distribution = Mapping[str, float]
type Asker = Callable[[str], list[Message]]

_CONTENT_FREE = ("N/A", "", "[MASK]")
_WEIGHTS = (0.5, 0.3, 0.2, 0.1)
_PLAIN = OPTIONS.model_copy(update={"include_agent_capabilities": False})


@dataclass(frozen=True, slots=True)
class Asked:
    """What one prompt gave: a distribution over agents for each sentence, and what it cost."""

    shares: Sequence[Distribution]
    tokens: int
    ms: float


@dataclass(frozen=True, slots=True)
class Ablation:
    """Sentences with their labels, and the model that is asked about them."""

    decider: Decider
    cases: Sequence[Case]
    labels: Sequence[str]

    async def async_run(self) -> dict[str, dict[str, Any]]:
        """Return accuracy, tokens and time of each variant."""
        naive = await self._async_ask(lambda text: _prompt(_PLAIN, text, 2))
        one = await self._async_ask(lambda text: _prompt(OPTIONS, text, 1))
        two = await self._async_ask(lambda text: _prompt(OPTIONS, text, 2))
        reverse = await self._async_ask(lambda text: _prompt(OPTIONS, text, 1, backwards=True))
        similar = await self._async_ask(_similar_prompt)
        early = await self._async_early()
        used = evidence._UNSPOKEN  # noqa: SLF001 - the weight that is used
        found = {
            "model alone, two examples each, no capabilities": self._row(naive),
            "one example each, with capabilities": self._row(one),
        }
        for weight in _WEIGHTS:
            name = f"+ words as evidence, weight {weight}"
            found[name] = self._row(one, self._weighed(one.shares, weight))
        weighed = self._weighed(one.shares, used)
        found["+ vocabulary and guard, as used"] = self._row(one, weighed, early)
        corrected = await self._async_corrected(one.shares)
        found["prior corrected, without words"] = self._row(one, corrected)
        found["prior corrected, then as used"] = self._row(
            one, self._weighed(corrected, used), early
        )
        found["examples reversed, as used"] = self._row(
            reverse, self._weighed(reverse.shares, used), early
        )
        both = [
            _mean(first, second) for first, second in zip(one.shares, reverse.shares, strict=True)
        ]
        found["both orders averaged, as used"] = self._row(
            Asked(both, one.tokens + reverse.tokens, one.ms + reverse.ms),
            self._weighed(both, used),
            early,
        )
        found["two examples each, as used"] = self._row(two, self._weighed(two.shares, used), early)
        found["examples by similarity, as used"] = self._row(
            similar, self._weighed(similar.shares, used), early
        )
        return found

    async def _async_ask(self, asker: Asker) -> Asked:
        """Ask about every sentence in one way, one after the other, so that the cache serves it."""
        answers = []
        await self._async_one(asker("hello to the house"), "hello to the house")
        for case in self.cases:
            started = time.perf_counter()
            shares, tokens = await self._async_one(asker(case.text), case.text)
            answers.append((shares, tokens, (time.perf_counter() - started) * 1000))
        return Asked(
            [shares for shares, _, _ in answers],
            max(tokens for _, tokens, _ in answers),
            median(ms for _, _, ms in answers),
        )

    async def _async_one(self, messages: Sequence[Message], text: str) -> tuple[Distribution, int]:
        """Return the distribution over agents, and the tokens of the prompt.

        Raises:
            RuntimeError: the server tells no log-probabilities.
        """
        cards = answering_cards(self.decider.language, CARDS, [text])
        completion = await self.decider.model.complete(
            messages,
            schema=choice_schema(OPTIONS, cards, 1, with_confidence=False),
            schema_name="choice",
            temperature=OPTIONS.temperature,
            max_tokens=40,
            logprobs=True,
            timeout=SECONDS,
        )
        found = choice_distribution(completion, "agentId", [label(card.id) for card in cards])
        if found is None:
            raise RuntimeError("the server tells no log-probabilities")
        shares = {card.id: found[label(card.id)] for card in cards}
        return shares, completion.usage.prompt_tokens

    def _weighed(self, shares: Sequence[Distribution], weight: float) -> list[Distribution]:
        """Return distributions weighed with what the words say."""
        language = self.decider.language
        with patch.object(evidence, "_UNSPOKEN", weight):
            return [
                evidence.weigh(
                    language, answering_cards(language, CARDS, [case.text]), case.text, one, {}
                )
                for case, one in zip(self.cases, shares, strict=True)
            ]

    async def _async_corrected(self, shares: Sequence[Distribution]) -> list[Distribution]:
        """Return distributions divided by what the model says to a sentence without content."""
        priors = [
            (await self._async_one(_prompt(OPTIONS, text, 1), ""))[0] for text in _CONTENT_FREE
        ]
        prior = {card.id: fmean(one[card.id] for one in priors) for card in CARDS}
        return [
            _normal({agent: share / prior[agent] for agent, share in one.items()}) for one in shares
        ]

    async def _async_early(self) -> list[str | None]:
        """Return for each sentence the agent that is found without a model."""
        found: list[str | None] = []
        async with open_decider(
            "http://localhost", [GuardRouter(), VocabularyRouter()], model="-"
        ) as decider:
            for case in self.cases:
                assignment = (await decider.async_decide(case.text)).assignment
                found.append(None if assignment.source == "default" else assignment.agent_id)
        return found

    def _row(
        self,
        asked: Asked,
        shares: Sequence[Distribution] | None = None,
        early: Sequence[str | None] | None = None,
    ) -> dict[str, Any]:
        """Return accuracy of a variant for each label and balanced, with tokens and time."""
        rights: dict[str, list[bool]] = {name: [] for name in self.labels}
        taken = early or [None] * len(self.cases)
        for case, one, first in zip(self.cases, shares or asked.shares, taken, strict=True):
            got = as_label(first or max(one, key=one.__getitem__), self.labels)
            rights[case.label].append(got == case.label)
        return {
            "balanced_accuracy": round(fmean(fmean(those) for those in rights.values()), 4),
            "labels": {name: round(fmean(those), 3) for name, those in rights.items()},
            "prompt_tokens_most": asked.tokens,
            "model_ms_p50": round(asked.ms, 1),
        }


def _prompt(
    options: RouterOptions, text: str, examples: int, *, backwards: bool = False
) -> list[Message]:
    """Return the prompt that is used, but with so many examples of each agent."""
    head = fixed_messages(options, CARDS)[0]
    pairs = [(example, card) for card in CARDS for example in card.examples[:examples]]
    return _asked(head, pairs[::-1] if backwards else pairs, text)


def _similar_prompt(text: str) -> list[Message]:
    """Return a prompt with the example of each agent that shares most words with a text, best last."""
    words = set(words_of(text))

    def shared(example: str) -> float:
        said = set(words_of(example))
        return len(said & words) / len(said | words)

    best = [(max(card.examples, key=shared), card) for card in CARDS]
    best.sort(key=lambda pair: shared(pair[0]))
    return _asked(fixed_messages(OPTIONS, CARDS)[0], best, text)


def _asked(head: Message, pairs: Sequence[tuple[str, AgentCard]], text: str) -> list[Message]:
    """Return a prompt with examples as turns of a conversation."""
    messages = [head]
    for example, card in pairs:
        written = json.dumps({"agentId": label(card.id)}, separators=(",", ":"))
        messages += [
            Message(role="user", content=example),
            Message(role="assistant", content=written),
        ]
    return [*messages, Message(role="user", content=text)]


def _normal(shares: Distribution) -> Distribution:
    """Return shares that sum to 1."""
    total = sum(shares.values())
    return {agent: share / total for agent, share in shares.items()}


def _mean(first: Distribution, second: Distribution) -> Distribution:
    """Return the mean of two distributions."""
    return {agent: (share + second[agent]) / 2 for agent, share in first.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measures what each part of routing is worth.")
    parser.add_argument("--llm", metavar="URL", required=True, help="the model server's address")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="JSON lines, else our own set")
    parser.add_argument("--per-label", type=int, default=40, metavar="N")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    found = asyncio.run(_async_run(arguments))
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, row in found.items():
        print(
            f"{name:<50} {row['balanced_accuracy']:.3f}  {row['prompt_tokens_most']:>4} tokens"
            f"  {row['model_ms_p50']:>6.0f} ms"
        )


async def _async_run(arguments: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Measure what the command line says."""
    cases = read_cases(arguments.cases) if arguments.cases else own_cases()
    cases = sample(cases, arguments.per_label)
    async with open_decider(arguments.llm, []) as decider:
        return await Ablation(decider, cases, labels_of(cases)).async_run()
