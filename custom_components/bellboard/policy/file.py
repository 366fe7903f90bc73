"""The policies of the house: read from a file beside `configuration.yaml`, and again when told to."""

import logging
from pathlib import Path

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.yaml import Secrets

from ..const import DOMAIN
from .engine import Effect, NullPolicyEngine, PolicyEngine
from .home import HomeSurroundings
from .reading import RuleError
from .rule_engine import RulePolicyEngine
from .rule_file import load_rules
from .rules import UNREADABLE, Match, Rule

_LOGGER = logging.getLogger(__name__)

DATA_POLICY: HassKey[PolicyEngine] = HassKey(f"{DOMAIN}_policy")
"""The policies in force, the same for all assistants."""

_DATA_HOME: HassKey[HomeSurroundings] = HassKey(f"{DOMAIN}_policy_home")

POLICIES_FILE = "bellboard_policies.yaml"

ISSUE_BROKEN = UNREADABLE
"""The repair issue about a file that cannot be used."""

# Said before anything is done while the rules of the house are not known.
_UNKNOWN_RULES = {
    "en": "The house rules can't be read at the moment.",
    "de": "Die Hausregeln können im Moment nicht gelesen werden.",
    "fr": "Les règles de la maison sont illisibles pour le moment.",
    "es": "Ahora mismo no se pueden leer las reglas de la casa.",
    "nl": "De huisregels kunnen nu niet gelezen worden.",
    "it": "Le regole della casa ora non si possono leggere.",
    "pl": "Zasad tego domu nie da się teraz odczytać.",
    "pt": "Neste momento não é possível ler as regras da casa.",
}


async def async_setup_policies(hass: HomeAssistant) -> None:
    """Put the policies in force.

    Where the file cannot be read, everything wants a yes until it can: a slip of the pen must not
    open what was closed.
    """
    home = hass.data[_DATA_HOME] = HomeSurroundings(hass)
    await home.async_start()
    try:
        await async_load_policies(hass)
    except RuleError:
        ask = Rule(name=UNREADABLE, match=Match(), effect=Effect.CONFIRM, reason=_UNKNOWN_RULES)
        hass.data[DATA_POLICY] = RulePolicyEngine([ask], home)


async def async_load_policies(hass: HomeAssistant) -> int:
    """Read the file and put its rules in force; return how many there are.

    If it is not as it should be, a repair issue says so, and the rules stay as they were.

    Raises:
        RuleError: it is not.
    """
    home = hass.data[_DATA_HOME]
    path = Path(hass.config.path(POLICIES_FILE))
    secrets = Secrets(Path(hass.config.config_dir))
    try:
        rules = await hass.async_add_executor_job(load_rules, path, secrets)
    except RuleError as err:
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
    hass.data[DATA_POLICY] = RulePolicyEngine(rules, home) if rules else NullPolicyEngine()
    if rules and _LOGGER.isEnabledFor(logging.DEBUG):
        _note_unknown(home, rules)
    return len(rules or ())


@callback
def _note_unknown(home: HomeSurroundings, rules: tuple[Rule, ...]) -> None:
    """Write to the log which names in rules nothing has: it may come later."""
    for rule in rules:
        for match in rule.match.walk():
            for kind, name in home.unknown(match):
                _LOGGER.debug("Rule %s: there is no %s %s now", rule.name, kind, name)


def placeholders(hass: HomeAssistant, err: RuleError) -> dict[str, str]:
    """Return where an error is, and what it is."""
    file = err.file.removeprefix(hass.config.path("")) or POLICIES_FILE
    return {"file": file, "line": str(err.line), "reason": err.reason}
