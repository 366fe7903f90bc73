/** The stages and model calls of a turn as bars over its time. */

import type { ModelCall, Stage } from "../api/models";

export interface Bar {
  kind: "stage" | "model";
  /** Id of the stage, or what the model was asked for. */
  name: string;
  /** Agent or model. */
  of: string;
  level: Stage["level"];
  /** What is to be said of it: not every warning is a policy's. */
  note: "policy" | "warn" | "error" | null;
  from: number;
  to: number;
}

/**
 * Returns the bars in the order of their beginnings. A stage is noted when it is reached, so its bar begins where the one
 * before it ended; a model call's bar is the call itself.
 */
export function bars(stages: readonly Stage[], models: readonly ModelCall[], total: number): Bar[] {
  let before = 0;
  const found: Bar[] = stages.map((stage) => {
    const from = Math.min(before, stage.ms);
    before = Math.max(before, stage.ms);
    const agent = stage.payload["agent_id"];
    return {
      kind: "stage",
      name: stage.stage,
      of: typeof agent === "string" ? agent : "",
      level: stage.level,
      note: noteOf(stage),
      from,
      to: stage.ms,
    };
  });
  for (const call of models) {
    found.push({
      kind: "model",
      name: call.purpose,
      of: call.model,
      level: call.error ? "error" : "info",
      note: call.error ? "error" : null,
      from: call.at_ms,
      to: call.at_ms + (call.ms ?? Math.max(total - call.at_ms, 0)),
    });
  }
  return found.sort((one, other) => one.from - other.from || one.to - other.to);
}

/** Returns what is to be said of a stage; a policy stepped in only where its verdict was another than to allow. */
function noteOf(stage: Stage): Bar["note"] {
  if (stage.level === "info") return null;
  return stage.level === "warn" && stage.stage === "policy_check" ? "policy" : stage.level;
}

/** Returns the milliseconds that the widest bar reaches, at least one. */
export function extent(found: readonly Bar[], total: number): number {
  return Math.max(total, ...found.map((bar) => bar.to), 1);
}
