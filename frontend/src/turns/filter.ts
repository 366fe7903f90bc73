/** Which turns of the list are shown. */

import type { Line } from "../api/models";

export interface Filter {
  text: string;
  assistant: string;
  agent: string;
  state: string;
  source: string;
  only_slow: boolean;
  /** Seconds from which a turn counts as slow. */
  slow: number;
  only_corrected: boolean;
}

/** Turns that are shown at first, and with each press of "more". */
export const PAGE = 100;

export const NO_FILTER: Filter = {
  text: "",
  assistant: "",
  agent: "",
  state: "",
  source: "",
  only_slow: false,
  slow: 1,
  only_corrected: false,
};

const words = new WeakMap<Line, string>();

/** Returns the text of a turn in which one searches: without case and accents. */
function searched(line: Line, nameOf: (agent: string) => string): string {
  let text = words.get(line);
  if (text === undefined) {
    text = folded([line.utterance, line.reply, line.area ?? "", ...line.agents, ...line.agents.map(nameOf)].join("\n"));
    words.set(line, text);
  }
  return text;
}

export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns the turns that match all that is chosen, in their order. Each word of the text must be in a turn, or in the name of an agent. */
export function filtered(
  lines: readonly Line[],
  filter: Filter,
  nameOf: (agent: string) => string,
): readonly Line[] {
  const sought = folded(filter.text).split(/\s+/).filter(Boolean);
  if (!isActive(filter)) return lines;
  return lines.filter(
    (line) =>
      (!filter.assistant || line.assistant === filter.assistant) &&
      (!filter.agent || line.agents.includes(filter.agent)) &&
      (!filter.state || line.state === filter.state) &&
      (!filter.source || line.sources.includes(filter.source)) &&
      (!filter.only_slow || line.ms > filter.slow * 1000) &&
      (!filter.only_corrected || line.is_corrected) &&
      sought.every((word) => searched(line, nameOf).includes(word)),
  );
}

/** Returns whether a filter leaves anything out. */
export function isActive(filter: Filter): boolean {
  return (
    Boolean(filter.text.trim() || filter.assistant || filter.agent || filter.state) ||
    Boolean(filter.source || filter.only_slow || filter.only_corrected)
  );
}

/** Returns what can be chosen in a filter: what occurs in the turns, sorted. */
export function occurring(lines: readonly Line[], of: (line: Line) => readonly string[]): string[] {
  return [...new Set(lines.flatMap(of))].sort();
}
