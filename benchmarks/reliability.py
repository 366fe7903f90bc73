"""How far a confidence can be believed: its calibration error, its curve, and a picture of both."""

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10
POINTS = 8
"""The most points a curve has, its two ends included."""

# Shares of fewer sentences than this are chance.
_FEWEST = 8

# A probability bound by a schema is often so near to 1 that fewer digits would make all of them 1.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Judged:
    """A confidence between 0 and 1, and whether the decision was right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """The decisions whose confidence lies in one tenth: how many, how sure, how often right."""

    count: int
    confidence: float
    accuracy: float


def bins(judged: Sequence[Judged]) -> list[Bin]:
    """Return the tenths that decisions lie in; the first holds 0, the others not their lower bound."""
    found = []
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        inside = [
            one
            for one in judged
            if low < one.confidence <= high or (number == 0 and one.confidence == 0)
        ]
        if inside:
            found.append(
                Bin(
                    len(inside),
                    sum(one.confidence for one in inside) / len(inside),
                    sum(one.right for one in inside) / len(inside),
                )
            )
    return found


def calibration_error(judged: Sequence[Judged]) -> float | None:
    """Return the expected calibration error over ten bins, or None for no decisions."""
    if not judged:
        return None
    return sum(one.count * abs(one.confidence - one.accuracy) for one in bins(judged)) / len(judged)


@dataclass(frozen=True, slots=True)
class _Block:
    """Neighbouring decisions that are taken to be right equally often."""

    count: int
    confidences: float
    rights: float

    @property
    def share(self) -> float:
        """Return how often its decisions are right."""
        return self.rights / self.count

    def joined(self, other: _Block) -> _Block:
        """Return both as one."""
        return _Block(
            self.count + other.count,
            self.confidences + other.confidences,
            self.rights + other.rights,
        )

    def cost(self, other: _Block) -> float:
        """Return by how much the squared error grows if both become one."""
        both = self.count + other.count
        return self.count * other.count / both * (self.share - other.share) ** 2


def fit_curve(judged: Sequence[Judged]) -> list[tuple[float, float]]:
    """Return the rising curve from a confidence to how often it is right, as at most eight points.

    It is the isotonic regression, found by pooling neighbours that violate the order, then reduced
    by joining the neighbours that differ least. No end claims more than so few sentences can show:
    a block of n is right between 1 and n + 1 times of n + 2.

    Raises:
        ValueError: there are no decisions.
    """
    if not judged:
        raise ValueError("no decisions")
    blocks: list[_Block] = []
    for alike in _alike(judged):
        blocks.append(alike)
        while len(blocks) > 1 and blocks[-2].share >= blocks[-1].share:
            last = blocks.pop()
            blocks[-1] = blocks[-1].joined(last)
    blocks = _reduced(blocks)
    inner = [
        (
            round(block.confidences / block.count, _DIGITS),
            round(
                min(max(block.share, 1 / (block.count + 2)), (block.count + 1) / (block.count + 2)),
                4,
            ),
        )
        for block in blocks
    ]
    points = [(0.0, inner[0][1]), *_rising(inner), (1.0, max(share for _, share in inner))]
    return list(dict(points).items())


def _alike(judged: Sequence[Judged]) -> list[_Block]:
    """Return a block of the decisions of each confidence, the lowest first: equals are never split."""
    found: dict[float, _Block] = {}
    for one in sorted(judged, key=lambda one: one.confidence):
        block = _Block(1, one.confidence, one.right)
        known = found.get(one.confidence)
        found[one.confidence] = known.joined(block) if known else block
    return list(found.values())


def _reduced(blocks: list[_Block]) -> list[_Block]:
    """Return blocks joined until none is tiny and they and the two ends are few enough."""
    blocks = list(blocks)
    while len(blocks) > 1:
        tiny = [n for n, block in enumerate(blocks) if block.count < _FEWEST]
        if not tiny and len(blocks) <= POINTS - 2:
            break
        pairs = [n for n in range(len(blocks) - 1) if not tiny or n in tiny or n + 1 in tiny]
        first = min(pairs, key=lambda n: blocks[n].cost(blocks[n + 1]))
        blocks[first : first + 2] = [blocks[first].joined(blocks[first + 1])]
    return blocks


def _rising(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return points of which none is lower than the one before it."""
    highest = 0.0
    found = []
    for confidence, share in points:
        highest = max(highest, share)
        found.append((confidence, highest))
    return found


# All in the SVG's own units: the plot's side, the margin around it, the height below for counts.
_SIDE, _MARGIN, _COUNTS = 320, 48, 56
_WIDTH, _HEIGHT = _SIDE + 2 * _MARGIN, _SIDE + _COUNTS + 2 * _MARGIN
_BOTTOM = _MARGIN + _SIDE


def diagram(judged: Sequence[Judged], title: str) -> str:
    """Return a reliability diagram as SVG: a dot for each bin, the diagonal, and counts below it."""
    error = calibration_error(judged)
    summary = f"{len(judged)} decisions"
    if error is not None:
        summary += f", calibration error {error:.3f}"
    middle = _WIDTH / 2
    attributes = 'font-family="sans-serif" font-size="11" fill="#333"'
    upright = f"translate(14 {_MARGIN + _SIDE / 2}) rotate(-90)"
    found = bins(judged)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {attributes}>',
        f"<title>{title}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{middle}" y="20" text-anchor="middle" font-size="13">{title}</text>',
        f'<text x="{middle}" y="36" text-anchor="middle">{summary}</text>',
        *_grid(),
        *(line for one in found for line in _mark(one, max(each.count for each in found))),
        f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">confidence</text>',
        f'<text transform="{upright}" text-anchor="middle">share that is right</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _place(confidence: float, accuracy: float) -> tuple[float, float]:
    """Return where a point of the plot is drawn."""
    return _MARGIN + confidence * _SIDE, _BOTTOM - accuracy * _SIDE


def _grid() -> list[str]:
    """Return the plot's grid, its numbers and the diagonal."""
    lines = []
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x, y = _place(share, share)
        ways = f"M{_MARGIN} {y:.0f}H{_MARGIN + _SIDE}M{x:.0f} {_MARGIN}V{_BOTTOM}"
        low = _HEIGHT - 28
        lines += [
            f'<path d="{ways}" stroke="#ddd"/>',
            f'<text x="{_MARGIN - 6}" y="{y + 4:.0f}" text-anchor="end">{share:.1f}</text>',
            f'<text x="{x:.0f}" y="{low}" text-anchor="middle">{share:.1f}</text>',
        ]
    diagonal = f"M{_MARGIN} {_BOTTOM}L{_MARGIN + _SIDE} {_MARGIN}"
    return [*lines, f'<path d="{diagonal}" stroke="#999" stroke-dasharray="4 4"/>']


def _mark(one: Bin, most: int) -> list[str]:
    """Return a bin's dot, and below the plot a bar with its count; `most` is the highest count."""
    x, y = _place(one.confidence, one.accuracy)
    tall = one.count / most * (_COUNTS - 22)
    top = _HEIGHT - _MARGIN + 4 - tall
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1f77b4"/>',
        f'<rect x="{x - 8:.1f}" y="{top:.1f}" width="16" height="{tall:.1f}" fill="#9ecae1"/>',
        f'<text x="{x:.1f}" y="{top - 3:.1f}" text-anchor="middle">{one.count}</text>',
    ]
