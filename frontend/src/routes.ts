/** Paths of the page: a view, and what is shown in it. */

export const VIEWS = [
  "turns",
  "try",
  "evaluation",
  "learned",
  "agents",
  "policies",
  "health",
] as const;

export type View = (typeof VIEWS)[number];

export interface Place {
  view: View;
  turn: string | null;
}

/** Returns where a path such as "/turns/turn-1" leads; unknown ones lead to the turns. */
export function placeOf(path: string): Place {
  const [view = "", turn = ""] = path.split("/").filter(Boolean);
  const known = VIEWS.find((each) => each === view) ?? "turns";
  return { view: known, turn: known === "turns" && turn ? decoded(turn) : null };
}

/** Returns the path of a place, after the page's prefix. */
export function pathOf(view: View, turn?: string): string {
  return turn ? `/${view}/${encodeURIComponent(turn)}` : `/${view}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Typed by hand, and no encoding: taken as it is.
    return text;
  }
}
