/** Samples for tests: those of the page that is shown without Home Assistant. */

import type { Line, Part } from "../src/api/models";
import { line } from "../dev/samples";

export function lineOf(changes: Partial<Line> = {}): Line {
  return { ...line(0, 1_700_000_000, true), ...changes };
}

export function partOf(changes: Partial<Part> = {}): Part {
  return {
    agent_id: "light-agent",
    instruction: "turn on the light",
    source: "model",
    confidence: 0.9,
    measure: "measured",
    reason: "",
    scores: {},
    decline: null,
    intent: null,
    ...changes,
  };
}
