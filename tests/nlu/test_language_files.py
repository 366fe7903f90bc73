"""Language files: what is said twice in one place would be read once."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any, override

import pytest
import yaml

from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.loader import available_languages


class KeysOnce(yaml.SafeLoader):
    """Loads YAML, and refuses a key that stands twice in a mapping: only its last value would count."""

    @override
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        assert not twice, f"line {node.start_mark.line + 1}: {twice}"
        return super().construct_mapping(node, deep=deep)


@pytest.mark.parametrize("language", available_languages())
def test_no_key_of_a_language_stands_twice(language: str) -> None:
    for path in (Path(loader.__file__).parents[1] / "lexicons" / language).glob("*.yaml"):
        assert yaml.load(path.read_text("utf-8"), KeysOnce)  # noqa: S506 (a safe loader)
