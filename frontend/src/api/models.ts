/** What Bellboard's websocket commands send. Times are milliseconds unless a name says otherwise. */

export type TurnState = "completed" | "input-required" | "failed" | "canceled" | string;

export interface Assistant {
  id: string;
  entity_id: string;
  title: string;
  entry_id: string;
  model: string | null;
  contract: Contract;
  threshold: number;
  system_prompt: string;
  /** Names of its agents by their ids. */
  agents: Record<string, string>;
}

export type Contract = "auto" | "small" | "capable";

/** A turn as a line of a list; `at` is in seconds since 1970. Without words, texts are their lengths. */
export interface Line {
  id: string;
  assistant: string;
  at: number;
  conversation_id: string;
  utterance: string;
  reply: string;
  language: string;
  area: string | null;
  user_id: string | null;
  agents: string[];
  sources: string[];
  state: TurnState;
  ms: number;
  model_calls: number;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  /** The names of the tools that models used, each once. */
  tools: string[];
  /** How often a model used some. */
  tool_rounds: number;
  /** In the home's currency; null where no price is known. */
  cost: number | null;
  is_corrected: boolean;
  has_words: boolean;
}

export interface Part {
  agent_id: string;
  instruction: string;
  source: string;
  confidence: number;
  measure: "measured" | "written" | "none";
  confidences?: Record<string, number>;
  reason: string;
  scores: Record<string, number>;
  decline: string | null;
  intent: {
    name: string;
    slots: Record<string, string>;
    targets: string[];
    is_ambiguous: boolean;
  } | null;
}

export interface Stage {
  stage: string;
  timestamp: string;
  level: "info" | "warn" | "error";
  ms: number;
  payload: Record<string, unknown>;
}

export interface ModelCall {
  provider: string;
  model: string;
  purpose: string;
  messages: { role: string; content: string }[];
  schema: unknown;
  temperature: number | null;
  answer: string;
  error: string | null;
  tools: string[];
  at_ms: number;
  ms: number | null;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
}

export interface Call {
  action: string;
  data: Record<string, unknown>;
  assumed?: boolean;
}

export type Effect = "allow" | "deny" | "confirm" | "clamp";

export interface Verdict extends Call {
  effect: Effect;
  rule: string | null;
  reason: string;
  needs_code: boolean;
  names?: string[];
}

export interface Outcome {
  entity_id: string;
  error: string | null;
  detail: string;
}

export interface PlannedAction {
  name: string;
  targets: string[];
  parameters: Record<string, unknown>;
}

export interface Execution {
  agent_id: string;
  intent_id: string | null;
  actions: PlannedAction[];
  steps: { type: string; status: string }[];
  question: string | null;
  calls: (Call & { note: string; outcomes: Outcome[] })[];
  dry_run_calls: Call[];
  to_confirm: Verdict[];
}

export interface StateChange {
  entity_id: string;
  name: string;
  before: string;
  after: string | null;
  attributes: Record<string, [unknown, unknown]>;
}

export interface AskedAgent {
  id: string;
  confidence: number;
  source: string;
  success?: boolean;
  ms?: number;
}

export interface NextStep {
  router: string;
  agent_id?: string | null;
  instruction?: string | null;
  reasoning?: string | null;
  confidence?: number | null;
}

/** All that led to the answer of a turn. */
export interface Detail {
  speaker: {
    language: string;
    area_id: string | null;
    user_id: string | null;
    satellite_id: string | null;
    device_id: string | null;
  };
  threshold: number;
  eligible: string[];
  parts: Part[];
  agents_asked: AskedAgent[];
  stages: Stage[];
  models: ModelCall[];
  plans: Execution[];
  policies: Verdict[];
  calls: Call[];
  states: StateChange[];
  next_steps: NextStep[];
  workflow: Record<string, unknown>;
}

export interface Task {
  id: string;
  state: string;
  history: { role: string; content: string }[];
}

export type Turn = Line & Detail & { task: Task | null };

export interface Span {
  start: number;
  end: number;
  text: string;
  is_mark: boolean;
  senses: { role: string; value: string }[];
}

/** What the readers make of a sentence. */
export interface Reading {
  recognized: {
    intent: string;
    slots: Record<string, string>;
    targets: string[];
    template: string | null;
  } | null;
  guards: { reason: string; words: string }[];
  spans: Span[];
  parts: Part[];
}

export interface Trial extends Detail {
  utterance: string;
  reply: string;
  state: TurnState;
  ms: number;
  agents: string[];
  sources: string[];
  reading: Reading;
}

export interface Sentence {
  assistant: string;
  text: string;
  language?: string;
  area_id?: string | null;
  user_id?: string | null;
  conversation_id?: string;
}

export interface Changes {
  threshold?: number;
  model?: string;
  system_prompt?: string;
  contract?: Contract;
}

export interface Parameter {
  name: string;
  kind: "number" | "step" | "choice" | "color" | "text";
  unit: string;
  low: number | null;
  high: number | null;
  options: string;
  choices: string[];
  is_optional: boolean;
}

export interface Device {
  entity_id: string;
  name: string;
  area_id: string | null;
  area: string | null;
}

export interface Choices {
  /** How many assistants there are beside that of the turn. */
  others: number;
  agents: { id: string; name: string }[];
  devices: Device[];
  areas: { id: string; name: string }[];
  domains: Record<
    string,
    {
      agent_id: string;
      actions: { name: string; any_parameter: boolean; parameters: Parameter[] }[];
    }
  >;
}

export interface Meant {
  agent_id: string;
  action: string;
  targets: string[];
  parameters: Record<string, string | number | number[]>;
}

export interface ScopeRule {
  agents?: string[];
  intents?: string[];
  areas?: string[];
  satellites?: string[];
  users?: string[];
  after?: string;
  before?: string;
  share?: number;
}

export interface Agent {
  id: string;
  name: string;
  description: string;
  examples: string[];
  domains: string[];
  areas: string[];
  labels: string[];
  is_there: boolean;
  is_routed: boolean;
  is_own: boolean;
  devices: number;
  decisions: number;
  worked: [number, number];
  rules: ScopeRule[];
}

export interface PolicyRule {
  name: string;
  match: Record<string, unknown>;
  effect: Effect;
  reason?: Record<string, string>;
  require?: string;
  to?: Record<string, { min?: number; max?: number }>;
}

export interface PoliciesChecked {
  error: { file?: string; line?: string | number; reason?: string } | null;
  rules: PolicyRule[];
}

export interface Policies extends PoliciesChecked {
  file: string;
  path: string;
  /** The file as it is edited, with something in the place of each code; null where it holds no text. */
  text: string | null;
  revision: string | null;
  exists: boolean;
  is_changed: boolean;
  codes: string[];
  persons: Record<string, string[]>;
  locked_until: string | null;
}

export interface ModelHealth {
  provider: string;
  model: string;
  calls: number;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  cost: number | null;
  errors: Record<string, number>;
  median_ms: number | null;
  p95_ms: number | null;
  latencies: [number, number][];
}

export interface AssistantHealth {
  id: string;
  title: string;
  roles: Record<string, string | null>;
  contract: string;
  models: ModelHealth[];
  routing: {
    decisions: number;
    by_agent: Record<string, number>;
    by_source: Record<string, number>;
    fallbacks: number;
    latency_p50: number | null;
    latency_p95: number | null;
    mean_confidence: number | null;
  };
  conversations: number;
  store: "redis" | "home_assistant";
  learned: number;
  events_dropped: number;
  turns: number;
}

export interface ConnectionHealth {
  entry_id: string;
  title: string;
  provider: string;
  has_model: boolean;
  unavailable_since: string | null;
  breaker: "closed" | "open" | "half_open" | null;
  waiting: number;
  assistants: AssistantHealth[];
}

export type CaseOutcome = "passed" | "failed" | "skipped";

export interface Evaluation {
  path: string;
  error: string | null;
  run_at: number | string | null;
  cases: { id: string; say: string[]; area: string | null; outcome: CaseOutcome | null }[];
}

export interface CaseReport {
  id: string;
  agent: string;
  outcome: CaseOutcome;
  reason: string;
  differences: string[];
  turns: { say: string; reply: string; state: string; agents: string[]; ms: number }[];
}

export interface EvaluationReport {
  passed: number;
  failed: number;
  skipped: number;
  latency: { p50_ms: number | null; p95_ms: number | null };
  by_agent: Record<string, { passed: number; failed: number; skipped: number }>;
  earlier: {
    at: number | string;
    better: string[];
    worse: string[];
    otherwise: string[];
    new: string[];
    gone: string[];
  } | null;
  cases: CaseReport[];
}

export type EvaluationEvent =
  | { total: number }
  | { case: CaseReport }
  | { report: EvaluationReport };

export interface Lesson {
  assistant: string;
  sentence: string;
  language: string;
  area: string | null;
  agent: string;
  actions: { name: string; parameters: Record<string, unknown> }[];
  targets: string[];
  in_use: boolean;
  decided_by: string;
  learnt_at: string;
  confirmed: number;
  used: number;
  used_at: string | null;
}

export interface Planned {
  assistant: string;
  id: string;
  kind: "once" | "waiting" | "repeating";
  text: string;
  does: string;
  when: string;
  watched: string[];
  is_off: boolean;
  user: string | null;
  due: string;
  seconds_left: number;
}

export interface Habit {
  assistant: string;
  area: string | null;
  kind: string;
  entity_id?: string;
  percent?: number;
  part_of_day?: string;
  used_at: string;
}

export interface User {
  id: string;
  name: string | null;
  username?: string | null;
  is_active?: boolean;
  system_generated?: boolean;
}
