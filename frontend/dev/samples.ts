/** Turns, tries and figures of a made-up house. */

import type {
  Agent,
  Assistant,
  Choices,
  ConnectionHealth,
  Detail,
  Evaluation,
  EvaluationEvent,
  Habit,
  Lesson,
  Line,
  ModelCall,
  Planned,
  Policies,
  PoliciesChecked,
  Reading,
  Trial,
  Turn,
  User,
  Verdict,
} from "../src/api/models";

type Message = Record<string, unknown>;

export const assistants: Assistant[] = [
  {
    id: "a1",
    entity_id: "conversation.bellboard",
    title: "Bellboard",
    entry_id: "e1",
    model: "qwen3:4b",
    contract: "auto",
    threshold: 0.6,
    system_prompt: "You choose who answers.\n\n{catalog}\n\nAnswer with one id.",
    agents: { "light-agent": "Lights", "movie-agent": "Movie nights" },
  },
  {
    id: "a2",
    entity_id: "conversation.study",
    title: "Study",
    entry_id: "e1",
    model: null,
    contract: "small",
    threshold: 0.7,
    system_prompt: "You choose who answers.\n\n{catalog}",
    agents: {},
  },
];

export const users: User[] = [
  { id: "user-anna", name: "Anna" },
  { id: "user-ben", name: "Ben" },
  { id: "user-sys", name: "Supervisor", system_generated: true },
];

export const areas = {
  kitchen: { area_id: "kitchen", name: "Kitchen" },
  living_room: { area_id: "living_room", name: "Living room" },
  bedroom: { area_id: "bedroom", name: "Bedroom" },
};

const names: Record<string, string> = {
  "light.kitchen": "Kitchen light",
  "light.counter": "Counter light",
  "light.bedroom": "Bedroom light",
  "media_player.living_room": "Living room speaker",
  "climate.bedroom": "Bedroom heating",
  "lock.front_door": "Front door",
};

export const states = Object.fromEntries(
  Object.entries(names).map(([entity_id, friendly_name]) => [
    entity_id,
    {
      entity_id,
      state: "off",
      attributes: {
        friendly_name,
        hvac_modes: ["off", "heat", "auto"],
        source_list: ["Radio", "TV"],
        effect_list: ["Candle", "Rainbow"],
      } as Record<string, unknown>,
    },
  ]),
);

const SAID: readonly (readonly [string, string, string[], string[], string])[] = [
  ["Turn on the kitchen light", "The kitchen light is on.", ["light-agent"], ["reflex"], "completed"],
  ["Dim the counter to half and play some jazz in the living room", "The counter light is at 50 percent. Jazz is playing in the living room.", ["light-agent", "music-agent"], ["model"], "completed"],
  ["Make it cosy", "Which room do you mean?", ["light-agent"], ["vocabulary"], "input-required"],
  ["Unlock the front door", "I may not unlock the front door by voice.", ["home-agent"], ["reader"], "failed"],
  ["What is the capital of Peru", "Lima is the capital of Peru.", ["general-agent"], ["model"], "completed"],
  ["Set the bedroom to 21 degrees", "The bedroom is set to 21 degrees.", ["climate-agent"], ["learned"], "completed"],
  ["Never mind", "All right.", ["light-agent"], ["pending"], "canceled"],
];

function hidden(text: string, hasWords: boolean): string {
  return hasWords ? text : `<${text.length} characters>`;
}

export function line(number: number, at: number, hasWords: boolean): Line {
  const [utterance, reply, agents, sources, state] = SAID[number % SAID.length] as (typeof SAID)[number];
  const is_model = sources[0] === "model";
  return {
    id: `turn-${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`,
    assistant: number % 5 === 4 ? "a2" : "a1",
    at,
    conversation_id: `conversation-${Math.floor(number / 3)}`,
    utterance: hidden(utterance, hasWords),
    reply: hidden(reply, hasWords),
    language: "en",
    area: number % 3 ? "Kitchen" : null,
    user_id: number % 2 ? "user-anna" : null,
    agents,
    sources,
    state,
    ms: is_model ? 1480 + (number % 7) * 90 : 14 + (number % 11),
    model_calls: is_model ? 2 : 0,
    prompt_tokens: is_model ? 1240 : 0,
    cached_tokens: is_model ? 980 : 0,
    completion_tokens: is_model ? 23 : 0,
    tools: is_model ? ["act"] : [],
    tool_rounds: is_model ? 1 : 0,
    cost: is_model ? 0.0002 : null,
    is_corrected: number % 13 === 5,
    has_words: hasWords,
  };
}

export function lines(count: number, hasWords: boolean): Line[] {
  const now = Date.now() / 1000;
  return Array.from({ length: count }, (_, number) => line(number, now - (count - number) * 613, hasWords));
}

const PROMPT = `You plan what to do with lights.

Devices:
- light.counter: Counter light (on, brightness 80%)

Actions: turn_on, turn_off, set(percent), warmer_white, cooler_white

Answer with one JSON object.`;

const model: ModelCall = {
  provider: "ollama",
  model: "qwen3:4b",
  purpose: "choice",
  messages: [
    { role: "system", content: "You choose who answers.\n\nlight-agent: lights\nmusic-agent: music\n\nAnswer with one id." },
    { role: "user", content: "Dim the counter to half and play some jazz in the living room" },
  ],
  schema: { type: "object", properties: { agent: { type: "string", enum: ["light-agent", "music-agent"] } } },
  temperature: 0,
  answer: '{"agent": "light-agent"}',
  error: null,
  tools: [],
  at_ms: 12,
  ms: 640,
  prompt_tokens: 820,
  cached_tokens: 760,
  completion_tokens: 9,
};

export function detail(state: string): Detail {
  return {
    speaker: { language: "en", area_id: "kitchen", user_id: "user-anna", satellite_id: null, device_id: "d1" },
    threshold: 0.6,
    eligible: ["light-agent", "music-agent", "home-agent", "general-agent"],
    parts: [
      {
        agent_id: "light-agent",
        instruction: "Dim the counter to half",
        source: "model",
        confidence: 0.87,
        measure: "measured",
        reason: "The words dim and counter speak for lights.",
        scores: { "light-agent": 0.87, "music-agent": 0.09, "general-agent": 0.04 },
        decline: null,
        intent: { name: "HassLightSet", slots: { name: "counter", brightness: "50" }, targets: ["light.counter"], is_ambiguous: false },
      },
      {
        agent_id: "music-agent",
        instruction: "play some jazz in the living room",
        source: "reader",
        confidence: 1,
        measure: "none",
        reason: "Every word was read.",
        scores: {},
        decline: null,
        intent: null,
      },
    ],
    agents_asked: [
      { id: "light-agent", confidence: 0.87, source: "model", success: true, ms: 812 },
      { id: "music-agent", confidence: 1, source: "reader", success: state !== "failed", ms: 430 },
    ],
    stages: [
      ["received", 0.4, "info", {}],
      ["intents_eligible", 3.1, "info", {}],
      ["intent_classified", 655, "info", { agent_id: "light-agent", intent_id: "HassLightSet" }],
      ["plan_created", 1190, "info", { agent_id: "light-agent" }],
      ["policy_check", 1192, "warn", { agent_id: "light-agent", allowed: true }],
      ["tool_execute", 1390, "info", { agent_id: "light-agent", tool: "light.turn_on", ok: true }],
      ["tool_execute", 1460, "error", { agent_id: "music-agent", tool: "media_player.play_media", ok: false }],
      ["respond", 1480, "info", { message: "…" }],
    ].map(([stage, ms, level, payload]) => ({
      stage: stage as string,
      timestamp: "2026-11-02T08:00:00.125Z",
      level: level as "info",
      ms: ms as number,
      payload: payload as Record<string, unknown>,
    })),
    models: [
      model,
      { ...model, purpose: "plan", at_ms: 662, ms: 520, messages: [{ role: "system", content: PROMPT }, { role: "user", content: "Dim the counter to half" }], answer: '{"action": "set", "percent": 50}', completion_tokens: 14, prompt_tokens: 420, cached_tokens: 220 },
    ],
    plans: [
      {
        agent_id: "light-agent",
        intent_id: "light-agent/set",
        actions: [{ name: "set", targets: ["light.counter"], parameters: { percent: 50 } }],
        steps: [
          { type: "tool_call", status: "completed" },
          { type: "respond", status: "completed" },
        ],
        question: null,
        calls: [
          {
            action: "light.turn_on",
            data: { entity_id: ["light.counter"], brightness_pct: 50 },
            note: "",
            outcomes: [{ entity_id: "light.counter", error: null, detail: "" }],
          },
        ],
        dry_run_calls: [],
        to_confirm: [],
      },
      {
        agent_id: "music-agent",
        intent_id: "music-agent/play",
        actions: [{ name: "play", targets: ["media_player.living_room"], parameters: { query: "jazz" } }],
        steps: [
          { type: "tool_call", status: "failed" },
          { type: "respond", status: "completed" },
        ],
        question: null,
        calls: [
          {
            action: "media_player.play_media",
            data: { entity_id: ["media_player.living_room"], media_content_id: "jazz", media_content_type: "music" },
            assumed: true,
            note: "",
            outcomes: [{ entity_id: "media_player.living_room", error: "no_answer", detail: "" }],
          },
        ],
        dry_run_calls: [],
        to_confirm: [],
      },
    ],
    policies: [
      {
        effect: "clamp",
        rule: "not_too_bright",
        reason: "At night it gets 60 percent at most.",
        needs_code: false,
        action: "light.turn_on",
        data: { entity_id: ["light.counter"], brightness_pct: 50 },
      },
    ],
    calls: [{ action: "light.turn_on", data: { entity_id: ["light.counter"], brightness_pct: 50 } }],
    states: [
      { entity_id: "light.counter", name: "Counter light", before: "on", after: "on", attributes: { brightness: [204, 128], color_mode: ["brightness", "brightness"] } },
      { entity_id: "media_player.living_room", name: "Living room speaker", before: "idle", after: null, attributes: {} },
    ],
    next_steps: [
      { router: "llm", agent_id: "music-agent", instruction: "play some jazz in the living room", reasoning: "The music is left.", confidence: 0.92 },
      { router: "llm", agent_id: null, instruction: null, reasoning: "Nothing is left.", confidence: null },
    ],
    workflow: { task_id: "t1", steps: 2, output: { light: "done" } },
  };
}

export function turn(line: Line): Turn {
  return {
    ...line,
    ...detail(line.state),
    task: {
      id: "01JQ8ZB6M6GKQ2Y2A9V0R3X7TN",
      state: line.state,
      history: [
        { role: "user", content: line.utterance },
        { role: "assistant", content: line.reply },
      ],
    },
  };
}

const ROLES: Record<string, [string, string]> = {
  dim: ["verb", "darken"],
  turn: ["verb", "turn_on"],
  on: ["state", "on"],
  play: ["verb", "play"],
  unlock: ["verb", "unlock"],
  set: ["verb", "set"],
  the: ["article", ""],
  some: ["filler", ""],
  to: ["to", ""],
  in: ["link", ""],
  half: ["half", "50"],
  and: ["and", ""],
  light: ["kind", "light"],
  counter: ["name", "light.counter"],
  kitchen: ["place", "Kitchen"],
  living: ["place", "Living room"],
  room: ["place", "Living room"],
  what: ["asking", ""],
  is: ["filler", ""],
};

export function reading(text: string): Reading {
  const spans = [...text.matchAll(/[\w']+|[^\s\w]/g)].map((match) => {
    const found = ROLES[match[0].toLowerCase()];
    const number = /^\d+$/.test(match[0]);
    return {
      start: match.index,
      end: match.index + match[0].length,
      text: match[0],
      is_mark: /^\W$/.test(match[0]),
      senses: found
        ? [
            { role: found[0], value: found[1] },
            ...(found[0] === "name" ? [{ role: "name_word", value: "counter" }] : []),
          ]
        : number
          ? [{ role: "number", value: match[0] }]
          : [],
    };
  });
  return {
    recognized: {
      intent: "HassTurnOn",
      slots: { name: "Kitchen light" },
      targets: ["light.kitchen"],
      template: "turn on [the] {name}",
    },
    guards: /never|not/i.test(text) ? [{ reason: "negation", words: "never" }] : [],
    spans,
    parts: [],
  };
}

export function trial(text: string, message: Message): Trial {
  const threshold = Number(message["threshold"] ?? 0.6);
  const found = detail("completed");
  const isUnsure = threshold > 0.87;
  return {
    ...found,
    threshold,
    plans: found.plans.map((plan, index) => ({
      ...plan,
      calls: [],
      dry_run_calls: isUnsure && index ? [] : plan.calls.map(({ action, data }) => ({ action, data })),
      question: isUnsure && index ? "Do you mean music?" : null,
    })),
    states: [],
    utterance: text,
    reply: isUnsure ? "Would turn the counter light to 50 percent. Do you mean music?" : "Would turn the counter light to 50 percent and play jazz.",
    state: isUnsure ? "input-required" : "completed",
    ms: 1212,
    agents: ["light-agent", "music-agent"],
    sources: ["model"],
    reading: reading(text),
  };
}

export const choices: Choices = {
  others: 1,
  agents: [
    { id: "light-agent", name: "Lights" },
    { id: "music-agent", name: "Music" },
    { id: "climate-agent", name: "Climate" },
    { id: "home-agent", name: "Home" },
  ],
  devices: Object.entries(names).map(([entity_id, name]) => ({ entity_id, name, area_id: "kitchen", area: "Kitchen" })),
  areas: Object.values(areas).map((area) => ({ id: area.area_id, name: area.name })),
  domains: {
    light: {
      agent_id: "light-agent",
      actions: [
        { name: "turn_on", any_parameter: false, parameters: [] },
        { name: "turn_off", any_parameter: false, parameters: [] },
        { name: "toggle", any_parameter: false, parameters: [] },
        {
          name: "set",
          any_parameter: true,
          parameters: [
            { name: "percent", kind: "number", unit: "%", low: 1, high: 100, options: "", choices: [], is_optional: false },
            { name: "color", kind: "color", unit: "", low: null, high: null, options: "", choices: [], is_optional: false },
            { name: "effect", kind: "choice", unit: "", low: null, high: null, options: "effect_list", choices: [], is_optional: false },
          ],
        },
      ],
    },
    media_player: {
      agent_id: "music-agent",
      actions: [
        { name: "play", any_parameter: false, parameters: [{ name: "query", kind: "text", unit: "", low: null, high: null, options: "", choices: [], is_optional: false }] },
      ],
    },
    climate: {
      agent_id: "climate-agent",
      actions: [
        { name: "set_temperature", any_parameter: false, parameters: [{ name: "temperature", kind: "number", unit: "°", low: null, high: null, options: "", choices: [], is_optional: false }] },
      ],
    },
    lock: { agent_id: "home-agent", actions: [{ name: "lock", any_parameter: false, parameters: [] }] },
  },
};

export const agents: Agent[] = [
  ["light-agent", "Lights", "Turns lights on and off, dims them and gives them colours.", ["light"], 12, 240, 0.97],
  ["music-agent", "Music", "Plays music and radio, and sets the volume.", ["media_player"], 4, 91, 0.81],
  ["climate-agent", "Climate", "Sets temperatures and modes of heating and cooling.", ["climate"], 3, 40, 0.93],
  ["home-agent", "Home", "Answers what Home Assistant itself understands.", ["lock", "cover"], 7, 66, null],
  ["garden-agent", "Garden", "Waters the garden and knows its soil.", ["valve"], 0, 2, 0.5],
].map(([id, name, description, domains, devices, decisions, success], index) => ({
  id: id as string,
  name: name as string,
  description: description as string,
  examples: ["turn on the hall light", "make it brighter"],
  domains: domains as string[],
  areas: index === 4 ? ["kitchen"] : [],
  labels: [],
  is_there: index !== 4,
  is_routed: index !== 3,
  is_own: index === 4,
  devices: devices as number,
  decisions: decisions as number,
  worked: [Math.round((success as number) * (decisions as number)), success ? (decisions as number) : 0],
  rules: index === 1 ? [{ agents: ["music-agent"], areas: ["living_room"], users: ["user-anna"], after: "07:00", before: "22:00", share: 50 }] : [],
}));

const POLICIES_TEXT = `pins:
  Anna: "••••1"
  Ben: "••••2"
rules:
  - name: warm_enough
    match:
      domain: climate
      parameters:
        temperature: {above: 23}
    effect: clamp
    to:
      temperature: {max: 23}
    reason: It gets 23 degrees at most.
`;

export function checked(text: string): PoliciesChecked {
  const at = text.split("\n").findIndex((line) => line.includes("\t"));
  if (at < 0) return { error: null, rules: policies(false).rules };
  return { error: { line: at + 1, reason: "this is no YAML: found character that cannot start any token" }, rules: [] };
}

export function policies(isEmpty: boolean): Policies {
  if (isEmpty) {
    return { file: "bellboard_policies.yaml", path: "/config/bellboard_policies.yaml", text: "", revision: "0", exists: false, error: null, rules: [], is_changed: false, codes: [], persons: {}, locked_until: null };
  }
  return {
    file: "bellboard_policies.yaml",
    path: "/config/bellboard_policies.yaml",
    text: POLICIES_TEXT,
    revision: "1",
    exists: true,
    error: { file: "bellboard_policies.yaml", line: 14, reason: 'rules[1].match.time.after: put the time of day in quotes, like "20:00"' },
    rules: [
      {
        name: "warm_enough",
        match: { domain: ["climate"], parameters: { temperature: { above: 23 } } },
        effect: "clamp",
        to: { temperature: { max: 23 } },
        reason: { "": "It gets 23 degrees at most." },
      },
      {
        name: "door_with_code",
        match: { action: ["lock.unlock"], not: { person: ["Anna"] }, time: { after: "20:00:00", weekdays: ["sat", "sun"] } },
        effect: "confirm",
        require: "pin",
        reason: { en: "Please say the code." },
      },
      { name: "children", match: { any: [{ person: ["Ben"] }, { spoken_in: ["Bedroom"] }] }, effect: "deny", reason: { en: "Ask Anna, please.", de: "Frag bitte Anna." } },
      { name: "rest", match: {}, effect: "allow" },
    ],
    is_changed: true,
    codes: ["Anna", "Ben"],
    persons: { Anna: ["assist_satellite.kitchen"], Ben: [] },
    locked_until: null,
  };
}

export function verdicts(message: Message): Verdict[] {
  return [
    {
      effect: "clamp",
      rule: "warm_enough",
      reason: "It gets 23 degrees at most.",
      needs_code: false,
      action: String(message["action"]),
      data: { entity_id: message["entity_ids"], temperature: 23 },
      names: (message["entity_ids"] as string[]).map((id) => names[id] ?? id),
    },
  ];
}

export function health(): ConnectionHealth[] {
  const now = Math.floor(Date.now() / 1000);
  const latencies = Array.from({ length: 60 }, (_, index): [number, number] => [
    now - (60 - index) * 95,
    420 + 260 * Math.abs(Math.sin(index * 1.7)) + (index === 40 ? 900 : 0),
  ]);
  const figures = (model: string, calls: number) => ({
    provider: "ollama",
    model,
    calls,
    prompt_tokens: 184_000,
    cached_tokens: 141_000,
    completion_tokens: 9_200,
    cost: model === "qwen3:4b" ? 0.1234 : null,
    errors: model === "qwen3:4b" ? { ModelTimeoutError: 2 } : {},
    median_ms: 512,
    p95_ms: 1480,
    latencies: model === "qwen3:4b" ? latencies : latencies.slice(0, 12),
  });
  return [
    {
      entry_id: "e1",
      title: "Ollama",
      provider: "ollama",
      has_model: true,
      unavailable_since: null,
      breaker: "closed",
      waiting: 1,
      assistants: [
        {
          id: "a1",
          title: "Bellboard",
          roles: { main: "qwen3:4b", routing: "qwen3:0.6b", escalation: null },
          contract: "small",
          models: [figures("qwen3:4b", 182), figures("qwen3:0.6b", 61)],
          routing: {
            decisions: 412,
            by_agent: { "light-agent": 240, "music-agent": 91, "home-agent": 41, "general-agent": 40 },
            by_source: { reflex: 190, reader: 84, learned: 52, model: 71, vocabulary: 11, fallback: 4 },
            fallbacks: 4,
            latency_p50: 9,
            latency_p95: 730,
            mean_confidence: 0.94,
          },
          conversations: 7,
          store: "home_assistant",
          learned: 3,
          events_dropped: 0,
          turns: 50,
        },
      ],
    },
    { entry_id: "e2", title: "Cloud", provider: "openai", has_model: true, unavailable_since: new Date().toISOString(), breaker: "open", waiting: 0, assistants: [] },
  ];
}

const CASES = Array.from({ length: 24 }, (_, index) => ({
  id: `turn-${1_700_000_000 + index}`,
  say: index % 6 === 5 ? ["Turn on the light", "And brighter"] : [(SAID[index % SAID.length] as (typeof SAID)[number])[0]],
  area: index % 2 ? "Kitchen" : null,
}));

export function evaluation(path: string, isEmpty: boolean): Evaluation {
  if (isEmpty || path !== "bellboard_cases.yaml") {
    return { path, error: `There is no file ${path}.`, run_at: null, cases: [] };
  }
  return {
    path,
    error: null,
    run_at: Date.now() / 1000 - 86_400,
    cases: CASES.map((each, index) => ({ ...each, outcome: index % 7 === 3 ? "failed" : index % 11 === 10 ? null : "passed" })),
  };
}

export async function run(send: (event: EvaluationEvent) => void, isStopped: () => boolean): Promise<void> {
  const reports = [];
  send({ total: CASES.length });
  for (const [index, each] of CASES.entries()) {
    await new Promise((resolve) => setTimeout(resolve, 120));
    if (isStopped()) return;
    const isFailed = index % 8 === 3;
    const report = {
      id: each.id,
      agent: "light-agent",
      outcome: isFailed ? ("failed" as const) : ("passed" as const),
      reason: "",
      differences: isFailed ? ["agents: expected light-agent, was home-agent"] : [],
      turns: each.say.map((say) => ({ say, reply: "The light is on.", state: "completed", agents: ["light-agent"], ms: 21 })),
    };
    reports.push(report);
    send({ case: report });
  }
  send({
    report: {
      passed: 21,
      failed: 3,
      skipped: 0,
      latency: { p50_ms: 21, p95_ms: 640 },
      by_agent: {},
      earlier: { at: Date.now() / 1000 - 86_400, better: ["turn-1700000010"], worse: ["turn-1700000011"], otherwise: [], new: ["turn-1700000023"], gone: [] },
      cases: reports,
    },
  });
}

export function lessons(): Lesson[] {
  return [
    ["make the study cosy", "bedroom", [{ name: "set", parameters: { percent: 30 } }], ["light.bedroom"], true, "correction", 14],
    ["music please", "living_room", [{ name: "play", parameters: { query: "jazz" } }], ["media_player.living_room"], true, "model", 3],
    ["good night", null, [{ name: "turn_off", parameters: {} }], ["light.kitchen", "light.counter", "light.bedroom"], false, "model", 0],
  ].map(([sentence, area, actions, targets, in_use, decided_by, used]) => ({
    assistant: "conversation.bellboard",
    sentence: sentence as string,
    language: "en",
    area: area as string | null,
    agent: "light-agent",
    actions: actions as Lesson["actions"],
    targets: targets as string[],
    in_use: in_use as boolean,
    decided_by: decided_by as string,
    learnt_at: "2026-11-01T08:00:00+00:00",
    confirmed: 2,
    used: used as number,
    used_at: used ? "2026-11-02T08:00:00+00:00" : null,
  }));
}

export function planned(): Planned[] {
  const due = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const of = (id: string, seconds_left: number, known: Partial<Planned>): Planned => ({
    assistant: "a1",
    id,
    kind: "once",
    text: "<21 characters>",
    does: "",
    when: "",
    watched: [],
    is_off: false,
    user: null,
    due: due(seconds_left),
    seconds_left,
    ...known,
  });
  return [
    of("p1", 240, { text: "turn off the heating", does: "turn off Bedroom Heating", when: "at 22:30" }),
    of("p2", 7200, { user: "u1", when: "tomorrow at 07:00" }),
    of("p3", 80000, { kind: "waiting", text: "tell me", when: "when the washing machine is done", watched: ["Washing Machine"] }),
    of("p4", 86000, { kind: "repeating", text: "the porch light on", does: "turn on Porch Light", when: "every day at sunset" }),
    of("p5", 86000, { kind: "repeating", does: "turn off Heating", watched: ["Window"], is_off: true }),
  ];
}

export function habits(): Habit[] {
  return [
    { assistant: "conversation.bellboard", area: "kitchen", kind: "level", percent: 40, part_of_day: "evening", used_at: "2026-11-02T19:00:00+00:00" },
    { assistant: "conversation.bellboard", area: "living_room", kind: "player", entity_id: "media_player.living_room", used_at: "2026-11-02T18:00:00+00:00" },
  ];
}
