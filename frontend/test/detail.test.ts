import { describe, expect, it } from "vitest";

import { detail, reading } from "../dev/samples";
import type { Agent, Stage } from "../src/api/models";
import { candidates } from "../src/detail/candidates";
import { bars, extent } from "../src/detail/waterfall";
import { groupOf, wordsOfSpans } from "../src/detail/words";
import { conditions } from "../src/policies";
import { partOf } from "./samples";

function stage(name: string, ms: number): Stage {
  return { stage: name, timestamp: "", level: "info", ms, payload: {} };
}

describe("the waterfall of a turn", () => {
  it("lets a stage begin where the one before it ended", () => {
    const found = bars([stage("received", 1), stage("respond", 40)], [], 41);
    expect(found.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 40],
    ]);
  });

  it("puts model calls among the stages, by their beginning", () => {
    const { stages, models } = detail("completed");
    const found = bars(stages, models, 1480);
    expect(found.filter((bar) => bar.kind === "model").map((bar) => bar.from)).toEqual([12, 662]);
    expect(found.map((bar) => bar.from)).toEqual(found.map((bar) => bar.from).sort((a, b) => a - b));
    expect(extent(found, 1480)).toBe(1480);
  });

  it("shows a call that never ended up to the end of the turn", () => {
    const [call] = detail("failed").models;
    if (!call) throw new Error("no call");
    const [bar] = bars([], [{ ...call, ms: null, at_ms: 10, error: "TimeoutError" }], 500);
    expect(bar).toMatchObject({ from: 10, to: 500, level: "error" });
  });

  it("says that a policy stepped in only of a policy", () => {
    const found = bars(
      [
        { ...stage("answered", 1), level: "warn" },
        { ...stage("policy_check", 2), level: "warn" },
        stage("policy_check", 3),
      ],
      [],
      3,
    );
    expect(found.map((bar) => bar.note)).toEqual(["warn", "policy", null]);
  });

  it("is never of no width", () => {
    expect(extent([], 0)).toBe(1);
  });
});

describe("the words of a sentence", () => {
  it("have the likeliest role, are marks, or are unknown", () => {
    const words = wordsOfSpans(reading("dim the frobnicator, 50").spans);
    expect(words.map((word) => [word.text, word.group, word.role])).toEqual([
      ["dim", "action", "verb"],
      ["the", "filler", "article"],
      ["frobnicator", "unknown", ""],
      [",", "mark", ""],
      ["50", "value", "number"],
    ]);
  });

  it("keep what else they may mean", () => {
    const [word] = wordsOfSpans(reading("counter").spans);
    expect(word?.others).toEqual([{ role: "name_word", value: "counter" }]);
  });

  it("count as fillers with a role that is not known here", () => {
    expect(groupOf("of_tomorrow")).toBe("filler");
  });
});

describe("who could have answered", () => {
  const known = ["light-agent", "music-agent", "climate-agent", "home-agent", "talk"].map(
    (id) => ({ id, name: id.replace("-agent", ""), is_routed: id !== "talk" }) as Agent,
  );
  const nameOf = (id: string) => id.replace("-agent", "");
  const losses = (part: Parameters<typeof partOf>[0], eligible: string[]) =>
    Object.fromEntries(
      candidates(partOf(part), eligible, known, nameOf).map(({ id, loss }) => [id, loss]),
    );

  it("is the chosen one first, then by score", () => {
    const found = candidates(
      partOf({ scores: { "music-agent": 0.4, "light-agent": 0.3, "climate-agent": 0.2 } }),
      ["light-agent", "music-agent", "climate-agent"],
      known,
      nameOf,
    );
    expect(found.map((each) => each.id).slice(0, 3)).toEqual(["light-agent", "music-agent", "climate-agent"]);
    expect(found[0]).toMatchObject({ name: "light", is_chosen: true, score: 0.3, loss: null });
  });

  it("says why the others did not", () => {
    const scored = { scores: { "light-agent": 0.9, "music-agent": 0.1 } };
    expect(losses(scored, ["light-agent", "music-agent", "climate-agent"])).toEqual({
      "light-agent": null,
      "music-agent": "lower",
      "climate-agent": "no_words",
      "home-agent": "out_of_scope",
    });
    expect(losses({ source: "reflex" }, ["light-agent", "music-agent"])).toMatchObject({
      "music-agent": "not_asked",
      "climate-agent": "out_of_scope",
    });
  });
});

describe("the conditions of a rule", () => {
  it("are one for each field, nested ones by their path", () => {
    expect(
      conditions({
        domain: ["light", "climate"],
        parameters: { temperature: { above: 23 } },
        not: { person: ["Anna"] },
        any: [{ area: ["Hall"] }, { assumed: true }],
      }),
    ).toEqual([
      { path: ["domain"], values: ["light", "climate"] },
      { path: ["parameters", "temperature", "above"], values: ["23"] },
      { path: ["not", "person"], values: ["Anna"] },
      { path: ["any", "1", "area"], values: ["Hall"] },
      { path: ["any", "2", "assumed"], values: ["true"] },
    ]);
  });

  it("are none for a rule about everything", () => {
    expect(conditions({})).toEqual([]);
  });
});
