/** Two tries of a sentence, fact by fact. */

import type { Call, Trial } from "../api/models";
import { agentNames, type Context } from "../context";

/** Name of a fact, which is a text of the page: `compare.<name>`. */
export type FactName =
  | "reply"
  | "state"
  | "agents"
  | "sources"
  | "confidence"
  | "threshold"
  | "eligible"
  | "calls"
  | "question"
  | "policies"
  | "model_calls"
  | "models"
  | "tokens"
  | "ms";

export interface Fact {
  name: FactName;
  before: string;
  after: string;
  is_different: boolean;
}

type Words = Pick<Context, "assistants" | "format" | "label">;

// These differ from try to try, whatever was changed.
const MEASURED: readonly FactName[] = ["ms"];

/** Returns the facts of both tries in the order in which they are shown. */
export function facts(
  before: Trial,
  after: Trial,
  ctx: Words,
): Fact[] {
  const one = factsOf(before, ctx);
  const other = factsOf(after, ctx);
  return (Object.keys(one) as FactName[]).map((name) => ({
    name,
    before: one[name],
    after: other[name],
    is_different: !MEASURED.includes(name) && one[name] !== other[name],
  }));
}

function factsOf(trial: Trial, ctx: Words): Record<FactName, string> {
  const { format, label } = ctx;
  const prompt = trial.models.reduce((sum, call) => sum + call.prompt_tokens, 0);
  const written = trial.models.reduce((sum, call) => sum + call.completion_tokens, 0);
  return {
    reply: trial.reply,
    state: label("state", trial.state),
    agents: agentNames(ctx, trial.agents),
    sources: trial.sources.map((source) => label("source", source)).join(", "),
    confidence: trial.parts.map((part) => format.score(part.confidence)).join(", "),
    threshold: format.score(trial.threshold),
    eligible: agentNames(ctx, trial.eligible),
    calls: callsOf(trial).map(callAsText).join("\n"),
    question: trial.plans.flatMap((plan) => plan.question ?? []).join("\n"),
    policies: trial.policies.map((each) => `${label("effect", each.effect)}: ${each.rule ?? ""}`).join("\n"),
    model_calls: format.number(trial.models.length),
    models: [...new Set(trial.models.map((call) => call.model))].join(", "),
    tokens: `${format.number(prompt)} + ${format.number(written)}`,
    ms: format.duration(trial.ms),
  };
}

/** Returns all that a try would call. */
export function callsOf(trial: { plans: Trial["plans"] }): Call[] {
  return trial.plans.flatMap((plan) => plan.dry_run_calls);
}

export function callAsText(call: Call): string {
  const data = Object.entries(call.data)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : JSON.stringify(value)}`)
    .join("; ");
  return data ? `${call.action} (${data})` : call.action;
}
