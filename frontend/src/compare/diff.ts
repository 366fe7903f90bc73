/** What is otherwise in a text than in another, word by word. */

export interface Piece {
  text: string;
  kind: "same" | "gone" | "new";
}

/** Words beyond which texts are no longer compared in detail: the table of a comparison grows with their square. */
const MOST_WORDS = 1500;

/** Returns the pieces of both texts in order: what both have, what only the first, and what only the second has. */
export function diffWords(before: string, after: string): Piece[] {
  if (before === after) return before ? [{ text: before, kind: "same" }] : [];
  const one = wordsIn(before);
  const other = wordsIn(after);
  if (one.length > MOST_WORDS || other.length > MOST_WORDS) {
    return joined([
      { text: before, kind: "gone" },
      { text: after, kind: "new" },
    ]);
  }
  const lengths = common(one, other);
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    const left = one[i];
    const right = other[j];
    if (left !== undefined && left === right) {
      pieces.push({ text: left, kind: "same" });
      i++;
      j++;
    } else if (right === undefined || (left !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      pieces.push({ text: left as string, kind: "gone" });
      i++;
    } else {
      pieces.push({ text: right, kind: "new" });
      j++;
    }
  }
  return joined(pieces);
}

/** Words, numbers, marks and the spaces between them: joined they are the text again. */
function wordsIn(text: string): string[] {
  return text.match(/\s+|\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}_'’-]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

/** Returns how long the longest common sequence from each pair of places to the ends is. */
function common(one: readonly string[], other: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      const row = lengths[i] as Uint16Array;
      row[j] =
        one[i] === other[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** Returns pieces that follow each other as one. A space between two changes belongs to both. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  let gone = "";
  let added = "";
  const change = () => {
    if (gone) found.push({ text: gone, kind: "gone" });
    if (added) found.push({ text: added, kind: "new" });
    gone = added = "";
  };
  for (const [index, { text, kind }] of pieces.entries()) {
    const isBetween = /^\s+$/.test(text) && (gone || added) && isChange(pieces[index + 1]);
    if (kind === "gone" || (kind === "same" && isBetween)) gone += text;
    if (kind === "new" || (kind === "same" && isBetween)) added += text;
    if (kind !== "same" || isBetween) continue;
    change();
    const last = found.at(-1);
    if (last?.kind === "same") last.text += text;
    else found.push({ text, kind });
  }
  change();
  return found;
}

function isChange(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.kind !== "same";
}
