import { describe, expect, it } from "vitest";

import { trial } from "../dev/samples";
import { diffWords } from "../src/compare/diff";
import { callAsText, facts } from "../src/compare/facts";
import { Format } from "../src/format";

const format = new Format({ language: "en" });
const label = (_group: string, id: string) => id;
const ctx = { format, label, assistants: [] };

describe("the difference of two texts", () => {
  it.each([
    ["", ""],
    ["the same", "the same"],
    ["turn it on", "turn it off"],
    ["", "all new"],
    ["all gone", ""],
    ["Lights: 0.60, on.\nDone", "Lights: 0.90, off.\n\nDone now"],
    ["größer als früher", "kleiner als früher"],
  ])("gives both texts back: %j, %j", (before, after) => {
    const pieces = diffWords(before, after);
    const text = (not: string) =>
      pieces
        .filter((piece) => piece.kind !== not)
        .map((piece) => piece.text)
        .join("");
    expect(text("new")).toBe(before);
    expect(text("gone")).toBe(after);
  });

  it("is about whole words and numbers", () => {
    expect(diffWords("dim to 0.60 now", "dim to 0.65 now")).toEqual([
      { text: "dim to ", kind: "same" },
      { text: "0.60", kind: "gone" },
      { text: "0.65", kind: "new" },
      { text: " now", kind: "same" },
    ]);
  });

  it("joins words that were changed one after the other", () => {
    expect(diffWords("play some jazz", "stop all music").map((piece) => piece.kind)).toEqual(["gone", "new"]);
  });

  it("does not compare very long texts word by word", () => {
    const long = "word ".repeat(5000);
    expect(diffWords(long, `${long}more`)).toHaveLength(2);
  });
});

describe("two tries", () => {
  const before = trial("dim it", {});
  const after = trial("dim it", { threshold: 0.9 });

  it("differ in what their settings change", () => {
    const different = facts(before, after, ctx)
      .filter((fact) => fact.is_different)
      .map((fact) => fact.name);
    expect(different).toEqual(["reply", "state", "threshold", "calls", "question"]);
  });

  it("do not differ by the time they took", () => {
    const slow = { ...before, ms: before.ms * 2 };
    expect(facts(before, slow, ctx).filter((fact) => fact.is_different)).toEqual([]);
  });

  it("tell a call by its action and its data", () => {
    expect(callAsText({ action: "light.turn_on", data: { entity_id: ["light.a", "light.b"], brightness_pct: 5 } })).toBe(
      "light.turn_on (entity_id: light.a, light.b; brightness_pct: 5)",
    );
    expect(callAsText({ action: "script.bye", data: {} })).toBe("script.bye");
  });
});
