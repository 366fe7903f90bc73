"""One direction: nothing knows what is above it, and the models stand on their own."""

import ast
from collections.abc import Callable, Iterable, Iterator
import dataclasses
from functools import cache
from graphlib import TopologicalSorter
from itertools import combinations
from pathlib import Path
import re
import subprocess
import sys

import pytest

import custom_components.bellboard as package
from custom_components.bellboard import const
from custom_components.bellboard.agents.base import AgentResult
from custom_components.bellboard.agents.models import AgentResponse
from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.domains.registry import tables
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.next_llm import RoutingDecisionOutput
from custom_components.bellboard.routing.router import RoutingRequest

HOUSE = Path(package.__file__).parent
PACKAGE = "bellboard"

ROOMS = (
    "a2a", "agents", "connections", "dialogue", "domains", "evaluation", "flows", "home", "llm", "memory", "nlu",
    "panel", "plans", "policy", "routing", "services", "telemetry", "turn",
)  # fmt: skip
AT_THE_ROOT = 13
"""Modules at the root at most: those that Home Assistant wants there, and what all rooms share."""

SHARED = ("const", "json_model", "options", "when", "yaml_errors")
"""Modules at the root that a room may import."""
ABOVE = {
    "connections": {"entity"},
    "flows": {"assistant"},
    "panel": {"assistant"},
    "services": {"assistant"},
    "turn": {"assistant"},
}
"""Modules at the root that only these rooms may import, beside the shared ones."""
PURE = (
    "json_model", "when", "yaml_errors", "llm", "a2a", "memory.models", "routing.models", "plans.models",
    "agents.models", "domains.models", "policy.engine", "routing.log",
    "telemetry.otel", "telemetry.trace", "telemetry.redaction", "telemetry.basic_sinks", "telemetry.sqlite_sink",
    "telemetry.statistics", "evaluation.models", "evaluation.compare", "evaluation.golden_file",
    "policy.rules", "routing.gatekeeper_client", "routing.next_models",
    "routing.next_run", "routing.next_llm", "routing.next_prompt", "routing.next_grounding",
)  # fmt: skip

MODULES = {
    ".".join((PACKAGE, *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(HOUSE.rglob("*.py"))
}


@cache
def imports(module: str) -> tuple[str, ...]:
    """Return the full names of the modules that a module imports, ours as `bellboard...`."""
    return tuple(_imports(module))


def _imports(module: str) -> Iterator[str]:
    """Yield them as they stand in its file."""
    path = MODULES[module]
    here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            name = ".".join([*base, *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                # `from .llm import errors` is the module, `from .llm import Message` its contents.
                deeper = f"{name}.{alias.name}"
                yield deeper if deeper in MODULES else name


def inside(name: str, room: str) -> bool:
    """Return whether a module is a package of ours, or in it."""
    return f"{name}.".startswith(f"{PACKAGE}.{room}.")


def modules_of(*rooms: str) -> list[str]:
    """Return the modules in some of our packages, which may be modules themselves."""
    return [module for module in MODULES if any(inside(module, room) for room in rooms)]


def ours(module: str) -> set[str]:
    """Return the modules of ours that a module imports."""
    return {name for name in imports(module) if name.split(".")[0] == PACKAGE}


def known(modules: Iterable[str], is_wrong: Callable[[str], bool]) -> dict[str, list[str]]:
    """Return the modules that import one of ours that they must not know, with those."""
    found = {module: sorted(filter(is_wrong, ours(module))) for module in modules}
    return {module: wrong for module, wrong in found.items() if wrong}


def room_of(name: str) -> str:
    """Return the room a module is in, or the module at the root."""
    return name.removeprefix(PACKAGE).removeprefix(".").split(".")[0]


NEIGHBOURS = {
    room: {room_of(name) for module in modules_of(room) for name in ours(module)} - {room}
    for room in (*ROOMS, *SHARED)
}
"""The rooms, and the modules at the root, that each room imports."""


def test_every_package_is_a_known_room() -> None:
    assert {path.parent.name for path in HOUSE.glob("*/__init__.py")} == set(ROOMS)
    assert len(modules_of(*ROOMS)) > 40
    assert len(list(HOUSE.glob("*.py"))) <= AT_THE_ROOT


def test_no_two_rooms_import_each_other() -> None:
    rooms = combinations((*ROOMS, *SHARED), 2)
    assert [(a, b) for a, b in rooms if b in NEIGHBOURS[a] and a in NEIGHBOURS[b]] == []


def test_rooms_can_be_put_in_one_order() -> None:
    """No room comes back to itself through others either."""
    assert list(TopologicalSorter(NEIGHBOURS).static_order())


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_knows_what_is_above_it(room: str) -> None:
    others = NEIGHBOURS[room] - set(ROOMS) - set(SHARED)
    assert others <= ABOVE.get(room, set())


def test_who_puts_a_turn_in_order_knows_nothing_of_homes() -> None:
    pipeline = f"{PACKAGE}.turn.pipeline"
    assert known([pipeline], lambda n: inside(n, "domains") or inside(n, "home")) == {}


def test_agents_know_nothing_of_routing() -> None:
    assert known(modules_of("agents"), lambda name: inside(name, "routing")) == {}


def test_what_an_agent_returns_says_nothing_of_who_goes_on() -> None:
    returned = {field.name for field in dataclasses.fields(AgentResult)}
    returned |= AgentResponse.model_fields.keys()
    assert returned.isdisjoint(RoutingDecisionOutput.model_fields)


NEXT_STEPS = f"{PACKAGE}.routing.next_"


ROUTERS_OF_BOTH = {f"{PACKAGE}.routing.gatekeeper", f"{PACKAGE}.routing.gatekeeper_client"}
"""Modules of the router that decides about requests and about next steps."""


def test_agents_and_routers_know_nothing_of_the_workflow() -> None:
    """Who goes on after an agent is decided by modules that no agent imports, and no router of requests alone."""
    others = [
        module
        for module in modules_of("agents", "plans", "home", "routing")
        if not module.startswith(NEXT_STEPS) and module not in ROUTERS_OF_BOTH
    ]
    assert known(others, lambda name: name.startswith(NEXT_STEPS)) == {}


def test_routers_know_agents_by_their_cards_only() -> None:
    cards = f"{PACKAGE}.agents.models"
    assert known(modules_of("routing"), lambda n: inside(n, "agents") and n != cards) == {}


OF_THE_TURN = {"UNDO_AGENT_ID", "DELAY_AGENT_ID"}
"""Names of the ids under which the turn itself undoes, and keeps what is for later: there are no such agents."""

AGENT_IDS = {
    value
    for name, value in vars(const).items()
    if name.endswith("_AGENT_ID") and name not in OF_THE_TURN
} | {specialist.card.id for specialist in SPECIALISTS}

NAMING = {
    # Ids are kept, and agents are made, in one place each.
    f"{PACKAGE}.const",
    f"{PACKAGE}.assistant",
    # Whom the owner may choose for what nobody takes (RouterExecutor contract, Options).
    f"{PACKAGE}.options",
    # Whose the devices of a domain are, and who has the rest, are the tables' words.
    f"{PACKAGE}.domains.registry",
    *(f"{PACKAGE}.domains.{table.name}" for table in tables() if table.agent_id),
}
"""Modules beside those of agents that may name a particular one."""


OF_AGENT_MODULES = {
    "fallback": {"fallback-agent", "clarification-agent"},
    # The agent that is there where the one that was chosen is not, and whom no rule keeps out.
    "models": {"fallback-agent"},
    "dispatch": {"fallback-agent"},
    "eligibility": {"fallback-agent", "clarification-agent"},
    "home_plans": {"home-agent"},
}
"""Ids that modules of agents may name, beside their own."""


def test_agents_are_known_by_their_cards() -> None:
    """No agent names another, and nobody but these modules any: who takes over and who is offered its card says."""
    found = {module: named_agents(module) - own_agents(module) for module in MODULES}
    assert {module: ids for module, ids in found.items() if ids and module not in NAMING} == {}


def test_routers_are_handed_no_agent_but_those_that_the_contracts_options_name() -> None:
    """Whom they may choose stands in the cards of a request."""
    handed = {field.name for field in dataclasses.fields(RoutingRequest)}
    handed |= RouterOptions.model_fields.keys()
    assert {name for name in handed if re.search(r"agent_ids?$", name)} == {
        "clarification_agent_id",
        "fallback_agent_id",
    }


def own_agents(module: str) -> set[str]:
    """Return the ids of agents that a module is about."""
    name = module.rpartition(".")[2]
    return OF_AGENT_MODULES.get(name, {f"{name}-agent"}) if inside(module, "agents") else set()


def named_agents(module: str) -> set[str]:
    """Return the ids of agents that a module uses; what stands in a docstring or a comment is an example."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    }
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    texts |= {
        value for name, value in vars(const).items() if name in imported and isinstance(value, str)
    }
    return {agent_id for agent_id in AGENT_IDS if any(agent_id in text for text in texts)}


EXCHANGEABLE = {
    "ServiceExecutor": {"assistant"},
    "ModelPlanner": {"assistant"},
    # What a model is asked for is the planner's alone.
    "async_ask_for_plan": {"agents.device_planner"},
    "async_ask_for_steps": set(),
    # The form tries an agent beside the others, as a dry run.
    "IntentsByRules": {"assistant"},
    "AgentsById": {"assistant", "flows.own_agent"},
    "HomeAssistantTaskStore": {"memory.storage"},
    "async_create_redis_store": {"memory.storage"},
}
"""Parts that stand behind a protocol, and the modules that may know which of them there is."""


@pytest.mark.parametrize("name", EXCHANGEABLE)
def test_parts_are_exchanged_in_one_place(name: str) -> None:
    found = {
        module.removeprefix(f"{PACKAGE}.")
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}
    }
    assert found == EXCHANGEABLE[name]


OF_POLICIES = ("engine", "file", "parsing", "editing", "codes")
"""Modules of policies that other rooms may know: what judges, and the file as it is in force, read and edited."""


@pytest.mark.parametrize("room", sorted(set(ROOMS) - {"policy"}))
def test_policies_are_reached_by_their_engine_and_their_file_only(room: str) -> None:
    used = {name for module in modules_of(room) for name in ours(module) if inside(name, "policy")}
    assert used <= {f"{PACKAGE}.policy.{name}" for name in OF_POLICIES}


def test_the_wire_knows_only_itself() -> None:
    assert known(modules_of("llm"), lambda name: not inside(name, "llm")) == {}


def test_the_home_knows_neither_agents_nor_models() -> None:
    rooms = ("agents", "routing", "tasks", "llm", "telemetry")
    home = modules_of("home", "nlu")
    assert known(home, lambda name: any(inside(name, room) for room in rooms)) == {}


@pytest.mark.parametrize("module", modules_of(*PURE))
def test_models_import_nothing_of_home_assistant(module: str) -> None:
    """Neither by themselves nor through what they import of ours."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for found in imports(name):
            assert found.split(".")[0] not in {"homeassistant", "voluptuous", "hassil"}, name
            if found in MODULES and found != PACKAGE:
                waiting.append(found)


ALONE = """
import importlib, sys, types

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("homeassistant", "custom_components", "voluptuous", "hassil"):
            raise ImportError(f"{name} is not for the models")

sys.meta_path.insert(0, Wall())
bare = types.ModuleType("bellboard")
bare.__path__ = [sys.argv[1]]
sys.modules["bellboard"] = bare
for name in sys.argv[2:]:
    print(importlib.import_module(f"bellboard.{name}").__name__)
"""


def test_models_can_be_used_without_home_assistant() -> None:
    done = subprocess.run(  # noqa: S603 -- our own interpreter and text
        [sys.executable, "-I", "-c", ALONE, str(HOUSE), *PURE],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [f"{PACKAGE}.{name}" for name in PURE]


WRITING = re.compile(r"[rwaxbt+]*[wax+][rwaxbt+]*")
"""Modes of `open` that write."""


def test_no_file_is_written_in_place() -> None:
    """A power cut or a full disk would cut it short: Home Assistant's own code replaces it whole."""
    found = [
        f"{path.relative_to(HOUSE)}:{node.lineno}"
        for path in MODULES.values()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and _writes_in_place(node)
    ]
    assert found == []


def _writes_in_place(call: ast.Call) -> bool:
    """Return whether a call opens a file to write to it, or writes it at once."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in {"write_text", "write_bytes"}:
        return True
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = (each.value for each in values if isinstance(each, ast.Constant))
    return name in {"open", "fdopen", "NamedTemporaryFile"} and any(
        isinstance(mode, str) and WRITING.fullmatch(mode) for mode in modes
    )


def test_no_two_public_classes_have_the_same_name() -> None:
    """A name that is searched for is found once."""
    found: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}
