import { describe, expect, it } from "vitest";

import { reading, turn } from "../dev/samples";
import { redacted } from "../src/export/redact";
import { fileName, report } from "../src/export/report";
import { lineOf } from "./samples";

const exported = {
  turn: turn(
    lineOf({
      utterance: "Tell Hildegard the secret is marmalade",
      reply: "Hildegard knows about marmalade.",
      area: "Hildegard's room",
      user_id: "0123456789abcdef",
      agents: ["light-agent"],
    }),
  ),
  reading: reading("Tell Hildegard about marmalade"),
};
// What was said, answered, asked of a model, or named in the samples.
const WORDS = /hildegard|marmalade|counter|jazz|living|dim the|you plan|cosy|night it gets|not_too_bright|kitchen|0123456789abcdef/i;

describe("a redacted turn", () => {
  it.each(["json", "markdown"] as const)("has no words in %s", (kind) => {
    expect(report(exported, kind, true)).toMatch(/Hildegard/);
    expect(report(exported, kind, false)).not.toMatch(WORDS);
  });

  it("keeps its structure, ids of agents, intents and actions, domains and numbers", () => {
    const found = redacted(exported) as typeof exported;
    expect(found.turn.id).toBe(exported.turn.id);
    expect(found.turn.agents).toEqual(["light-agent"]);
    expect(found.turn.ms).toBe(exported.turn.ms);
    expect(found.turn.utterance).toBe("<38 characters>");
    expect(found.turn.parts[0]).toMatchObject({
      agent_id: "light-agent",
      confidence: 0.87,
      scores: { "light-agent": 0.87, "music-agent": 0.09 },
      intent: { name: "HassLightSet", targets: ["light.<7 characters>"] },
    });
    expect(found.turn.plans[0]).toMatchObject({
      intent_id: "light-agent/set",
      actions: [{ name: "set", parameters: { percent: 50 } }],
      calls: [{ action: "light.turn_on", data: { brightness_pct: 50 } }],
    });
    expect(found.turn.plans[1]?.calls[0]?.outcomes[0]?.error).toBe("no_answer");
    expect(found.turn.states[0]).toMatchObject({
      entity_id: "light.<7 characters>",
      name: "<13 characters>",
      before: "on",
      attributes: { brightness: [204, 128] },
    });
    expect(found.turn.models[0]).toMatchObject({ provider: "ollama", prompt_tokens: 820, purpose: "choice" });
    const { length } = exported.turn.models[0]?.messages[0]?.content ?? "";
    expect(found.turn.models[0]?.messages[0]).toEqual({
      role: "system",
      content: `<${length} characters>`,
    });
    expect(found.turn.stages[5]?.payload).toMatchObject({ tool: "light.turn_on", ok: true });
    expect(found.reading?.recognized?.intent).toBe("HassTurnOn");
    expect(redacted(reading("counter")) as typeof exported.reading).toMatchObject({
      spans: [{ start: 0, end: 7, text: "<7 characters>", senses: [{ role: "name", value: "light.<7 characters>" }, {}] }],
    });
  });

  it("withholds codes and secrets, also as numbers", () => {
    expect(redacted({ data: { code: 1234, access_token: "abc" }, needs_code: true })).toEqual({
      data: { code: "<withheld>", access_token: "<withheld>" },
      needs_code: true,
    });
  });

  it("shortens names that stand as keys", () => {
    expect(redacted({ "light.hildegard": 1, "Hildegard's lamp": 2 })).toEqual({
      "light.<9 characters>": 1,
      "<16 characters>": 2,
    });
  });

  it("takes no word in a call's data for an id, whatever its name", () => {
    expect(redacted({ data: { type: "marmalade", state: "jam", agent_id: "Hilde" } })).toEqual({
      data: { type: "<9 characters>", state: "<3 characters>", agent_id: "<5 characters>" },
    });
  });

  it("can be redacted twice", () => {
    const once = redacted(exported);
    expect(redacted(once)).toEqual(once);
  });
});

describe("a report with words", () => {
  it("fences a prompt that has fences itself", () => {
    const call = exported.turn.models[0];
    if (!call) throw new Error("no call");
    const told = { ...exported, turn: { ...exported.turn, models: [{ ...call, answer: "```json\n{}\n```" }] } };
    expect(report(told, "markdown", true)).toContain("````\n```json\n{}\n```\n````");
  });

  it("takes no word for a tag, and no bar for a new cell", () => {
    const told = { ...exported, turn: { ...exported.turn, reply: "a <b> | c\nd" } };
    expect(report(told, "markdown", true)).toContain("| replied | a \\<b> \\| c d |");
  });

  it("is named after the turn", () => {
    expect(fileName(exported, "markdown")).toBe(`bellboard-${exported.turn.id}.md`);
    expect(fileName(exported, "json")).toBe(`bellboard-${exported.turn.id}.json`);
  });
});
