"""The policies file beside `configuration.yaml`, put in force."""

from collections.abc import Collection, Mapping
import logging
from pathlib import Path

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import Secrets

from ..const import DOMAIN
from .codes import async_setup_code_lock, code_lock
from .engine import CallHistory, Interaction, NullPolicyEngine, PolicyEffect, PolicyEngine
from .lookup import RegistryLookup
from .matching import matches_action
from .parsing import PolicyFileError, load_file
from .rule_engine import RulePolicyEngine
from .rules import UNREADABLE, Match, Rule

_LOGGER = logging.getLogger(__name__)

DATA_POLICY: HassKey[PolicyEngine] = HassKey(f"{DOMAIN}_policy")
"""The policies in force, the same for all assistants."""

_DATA_HISTORY: HassKey[CallHistory] = HassKey(f"{DOMAIN}_call_history")

_DATA_HOME: HassKey[RegistryLookup] = HassKey(f"{DOMAIN}_policy_home")

POLICIES_FILE = "bellboard_policies.yaml"

ISSUE_BROKEN = UNREADABLE
"""The repair issue about a file that cannot be used."""

_ANY_ACTION = "*"

# While the file cannot be read nobody knows which of these it wanted a code for.
_LOCKED_UP = ("lock.unlock", "lock.open", "alarm_control_panel.*")


@callback
def call_history(hass: HomeAssistant) -> CallHistory:
    """Return what was asked for and done lately, the same for all assistants."""
    return hass.data.setdefault(_DATA_HISTORY, CallHistory())


async def async_setup_policies(hass: HomeAssistant) -> None:
    """Load the policies at the start.

    While the file cannot be read, every call needs a confirmation: a slip of the pen must not open
    what was closed. A lock wants a code then, and there is none.
    """
    home = hass.data[_DATA_HOME] = RegistryLookup(hass)
    await home.async_start()
    await async_setup_code_lock(hass)
    try:
        await async_load_policies(hass)
    except PolicyFileError:
        path = Path(hass.config.path(POLICIES_FILE))
        may_be_all = await hass.async_add_executor_job(_may_want_code, path)
        code = Rule(
            name=f"{UNREADABLE}_code",
            match=Match() if may_be_all else Match(action=_LOCKED_UP),
            effect=PolicyEffect.CONFIRM,
            require="pin",
        )
        ask = Rule(name=UNREADABLE, match=Match(), effect=PolicyEffect.CONFIRM)
        hass.data[DATA_POLICY] = RulePolicyEngine([code, ask], home)


def _may_want_code(path: Path) -> bool:
    """Return whether a file that cannot be read may want a code for anything; it blocks."""
    try:
        text = path.read_bytes()
    except OSError:
        return False
    return b"require" in text and b"pin" in text


async def async_load_policies(hass: HomeAssistant) -> int:
    """Load the file into the engine in force; return how many rules there are.

    If it is wrong, a repair issue says so, and the rules stay as they were.

    Raises:
        PolicyFileError: it is wrong.
    """
    home = hass.data[_DATA_HOME]
    path = Path(hass.config.path(POLICIES_FILE))
    secrets = Secrets(Path(hass.config.config_dir))
    try:
        file = await hass.async_add_executor_job(load_file, path, secrets)
    except PolicyFileError as err:
        place = placeholders(hass, err)
        _LOGGER.warning("The policies are not used: %(file)s, line %(line)s: %(reason)s", place)
        ir.async_create_issue(
            hass,
            DOMAIN,
            ISSUE_BROKEN,
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=ISSUE_BROKEN,
            translation_placeholders=place,
        )
        raise
    ir.async_delete_issue(hass, DOMAIN, ISSUE_BROKEN)
    rules = file.rules
    code_lock(hass).codes = file.codes
    home.satellites = file.persons
    hass.data[DATA_POLICY] = RulePolicyEngine(rules, home) if rules else NullPolicyEngine()
    if rules and _LOGGER.isEnabledFor(logging.DEBUG):
        _note_unknown(home, rules)
    return len(rules)


@callback
def rules_in_force(hass: HomeAssistant) -> tuple[Rule, ...]:
    """Return the rules that hold now, in order."""
    engine = hass.data.get(DATA_POLICY)
    return engine.rules if isinstance(engine, RulePolicyEngine) else ()


@callback
def allows_by_name(hass: HomeAssistant, rule_name: str, action: str) -> bool:
    """Return whether the rule of a name allows an action that it names itself, and not only all there are."""
    return any(
        rule.effect is PolicyEffect.ALLOW and _names_action(rule.match, action)
        for rule in rules_in_force(hass)
        if rule.name == rule_name
    )


def _names_action(match: Match, action: str) -> bool:
    """Return whether a match, or one in it that has to hold, names an action."""
    named = [each for each in match.action or () if each != _ANY_ACTION]
    inner = (*(match.all_of or ()), *(match.any_of or ()))
    return matches_action(named, action) or any(_names_action(each, action) for each in inner)


@callback
def speaking_persons(hass: HomeAssistant, interaction: Interaction) -> frozenset[str]:
    """Return the names of the person who speaks, as rules write them; empty where that is not known."""
    return hass.data[_DATA_HOME].persons(interaction)


@callback
def satellites_of_persons(hass: HomeAssistant) -> Mapping[str, Collection[str]]:
    """Return the ids of satellites, or of their devices, by the names of the persons whose they are."""
    home = hass.data.get(_DATA_HOME)
    return home.satellites if home else {}


@callback
def _note_unknown(home: RegistryLookup, rules: tuple[Rule, ...]) -> None:
    """Log which names in rules nothing has now; it may come later."""
    for rule in rules:
        for match in rule.match.walk():
            for kind, name in home.unknown(match):
                _LOGGER.debug("Rule %s: there is no %s %s now", rule.name, kind, name)


def placeholders(hass: HomeAssistant, err: PolicyFileError) -> dict[str, str]:
    """Return the translation placeholders of an error: file, line and reason."""
    file = err.file.removeprefix(hass.config.path("")) or POLICIES_FILE
    return {"file": file, "line": str(err.line), "reason": err.reason}
