"""One direction: nothing knows what is above it, and the models stand on their own."""

import ast
from collections.abc import Iterator
from pathlib import Path
import subprocess
import sys

import pytest

import custom_components.bellboard as package

HOUSE = Path(package.__file__).parent
PACKAGE = "bellboard"

ROOMS = (
    "agents",
    "evaluation",
    "home",
    "language",
    "llm",
    "plans",
    "routing",
    "tasks",
    "telemetry",
    "workflow",
)
ABOVE = {
    f"{PACKAGE}{name}"
    for name in (
        "", ".ai_task_model", ".ai_task_schema", ".assistant", ".assistant_flow", ".assistant_form", ".borrowed_model",
        ".config_flow",
        ".connection", ".connection_form", ".conversation", ".current_turn", ".decision", ".diagnostics", ".entity",
        ".execute_action", ".follow_up", ".forwarding", ".learned_actions", ".learning",
        ".migration", ".model_choice", ".model_roles", ".next_step_routers",
        ".policies", ".process_action", ".registration", ".rehearsal", ".run_task_action", ".sensor", ".services",
        ".task_actions", ".task_storage", ".turn", ".turn_record", ".undo_action", ".undoing", ".websocket",
        ".work_output",
    )
}  # fmt: skip
PURE = (
    "wire", "llm", "tasks.models", "routing.models", "plans.models", "agents.models",
    "plans.policy", "telemetry.events", "telemetry.log", "telemetry.metered", "telemetry.metrics",
    "telemetry.trace", "telemetry.payloads", "telemetry.redaction", "telemetry.fan_out",
    "telemetry.ring", "telemetry.printing", "telemetry.spans", "telemetry.sqlite_file",
    "telemetry.sqlite_sink", "telemetry.correlation", "evaluation.models", "evaluation.compare", "evaluation.reading",
    "plans.rules", "plans.rule_reading", "plans.rule_engine", "routing.gatekeeper_wire",
    "routing.gatekeeper_client", "workflow.models", "workflow.router", "workflow.run",
    "workflow.decision", "workflow.confidence",
    "workflow.prompt", "workflow.grounding", "workflow.llm", "workflow.gatekeeper",
)  # fmt: skip

MODULES = {
    ".".join((PACKAGE, *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(HOUSE.rglob("*.py"))
}


def imports(module: str) -> Iterator[str]:
    """Yield the full names of the modules that a module imports, ours as `bellboard...`."""
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


def test_every_package_is_a_known_room() -> None:
    assert {path.parent.name for path in HOUSE.glob("*/__init__.py")} == set(ROOMS)
    assert len(modules_of(*ROOMS)) > 40


@pytest.mark.parametrize("module", modules_of(*ROOMS))
def test_nothing_knows_what_is_above_it(module: str) -> None:
    assert not ours(module) & ABOVE


@pytest.mark.parametrize("module", modules_of("agents"))
def test_agents_know_nothing_of_routing(module: str) -> None:
    assert not [name for name in ours(module) if inside(name, "routing")]


@pytest.mark.parametrize("module", modules_of("agents", "plans", "home"))
def test_agents_know_nothing_of_the_workflow(module: str) -> None:
    assert not [name for name in ours(module) if inside(name, "workflow")]


@pytest.mark.parametrize("module", modules_of("routing"))
def test_of_the_workflow_routers_know_the_models_only(module: str) -> None:
    known = {name for name in ours(module) if inside(name, "workflow")}
    assert known <= {f"{PACKAGE}.workflow.models"}


@pytest.mark.parametrize("module", modules_of("routing"))
def test_routers_know_agents_by_their_cards_only(module: str) -> None:
    assert {name for name in ours(module) if inside(name, "agents")} <= {f"{PACKAGE}.agents.models"}


@pytest.mark.parametrize("module", modules_of("llm"))
def test_the_wire_knows_only_itself(module: str) -> None:
    assert all(inside(name, "llm") for name in ours(module))


@pytest.mark.parametrize("module", modules_of("home", "language"))
def test_the_home_knows_neither_agents_nor_models(module: str) -> None:
    rooms = ("agents", "routing", "tasks", "llm", "telemetry")
    assert not [name for name in ours(module) if any(inside(name, room) for room in rooms)]


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
