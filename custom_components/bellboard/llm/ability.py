"""Contract of a model: the prompts it gets, by its size, by its name, or by a test."""

from enum import StrEnum
import re

# Of at least so many parameters, in billions, a model is known to follow the capable contract.
_CAPABLE_FROM = 3.0
# "llama3.2:3b", "Qwen2.5-7B-Instruct", "smollm2-135m"; of "8x7b" all experts count.
_SIZE = re.compile(r"(?<![a-z0-9.])(?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)
# Names of families that are served by their makers only, none of which is small.
_KNOWN = re.compile(
    r"(?:^|[/:])(?:gpt-|chatgpt|o[1-9](?:-|$)|claude|gemini-|grok|mistral-(?:large|medium|small)|command-|deepseek-(?:chat|v\d|r1$)|"
    r"qwen-(?:max|plus)|kimi|nova-)",
    re.IGNORECASE,
)


class Contract(StrEnum):
    """Contract of a model's prompts: SMALL chooses among what the words name, CAPABLE plans by itself."""

    SMALL = "small"
    CAPABLE = "capable"


def parameters_of(name: str) -> float | None:
    """Return the parameters in billions that a model's name or size ("4.3B") says, None for none."""
    found = _SIZE.search(name)
    if found is None:
        return None
    experts, number, unit = found.groups()
    return int(experts or 1) * float(number) / (1000 if unit in "mM" else 1)


def contract_for_size(parameters: float) -> Contract:
    """Return the contract of a model with so many parameters, in billions."""
    return Contract.CAPABLE if parameters >= _CAPABLE_FROM else Contract.SMALL


def contract_of(name: str) -> Contract | None:
    """Return the contract that a model's name is known for, None where it says nothing."""
    parameters = parameters_of(name)
    if parameters is not None:
        return contract_for_size(parameters)
    return Contract.CAPABLE if _KNOWN.search(name) else None
