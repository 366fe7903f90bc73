import { describe, expect, it } from "vitest";

import { exampleLines, EXAMPLES, withRule } from "../src/policies";

const RULE = ["name: x", "match: {}", "effect: allow"];

describe("a rule that is put into the file", () => {
  it.each([
    ["", "rules:\n  - name: x\n    match: {}\n    effect: allow\n"],
    ["rules: []\n", "rules:\n  - name: x\n    match: {}\n    effect: allow\n"],
    ["rules: # mine\n", "rules: # mine\n  - name: x\n    match: {}\n    effect: allow\n"],
    [
      "rules:\n- name: a\n  match: {}\n\n# whose they are\npins:\n  any: '1234'\n",
      "rules:\n- name: a\n  match: {}\n- name: x\n  match: {}\n  effect: allow\n\n# whose they are\npins:\n  any: '1234'\n",
    ],
    [
      "pins: {any: '1234'}\nrules:\n    - name: a\n      match: {}\n",
      "pins: {any: '1234'}\nrules:\n    - name: a\n      match: {}\n    - name: x\n      match: {}\n      effect: allow\n",
    ],
    ["pins: {}\n", "pins: {}\nrules:\n  - name: x\n    match: {}\n    effect: allow\n"],
  ])("stands after the others in %j", (text, expected) => {
    expect(withRule(text, RULE)).toBe(expected);
  });

  it("says its reason in quotes, whatever is in it", () => {
    for (const example of EXAMPLES) {
      expect(exampleLines(example, 'No: "never"').at(-1)).toBe('reason: "No: \\"never\\""');
    }
  });
});
