"""Questions that sound like statements or commands: they are answered, and nothing is done."""

import pytest

pytestmark = pytest.mark.usefixtures("in_one_house")
