import { describe, expect, it } from "vitest";

import { fill, languageOf, loadLanguage } from "../src/i18n";

const LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv"];
const FILES = import.meta.glob<Record<string, string>>("../src/translations/*.json", {
  eager: true,
  import: "default",
});
const SOURCES = import.meta.glob<string>("../src/**/*.ts", {
  eager: true,
  import: "default",
  query: "?raw",
});

function words(language: string): Record<string, string> {
  return FILES[`../src/translations/${language}.json`] ?? {};
}

describe("translations", () => {
  const english = words("en");

  it("are there in nine languages", () => {
    expect(Object.keys(FILES).sort()).toEqual(
      LANGUAGES.map((code) => `../src/translations/${code}.json`),
    );
  });

  it.each(LANGUAGES)("have the same keys in %s, sorted", (language) => {
    const keys = Object.keys(words(language));
    expect(keys).toEqual(Object.keys(english));
    expect(keys).toEqual([...keys].sort());
  });

  it.each(LANGUAGES)("have the same values to fill in, and no empty text, in %s", (language) => {
    const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    for (const [key, text] of Object.entries(words(language))) {
      expect(text.trim(), key).not.toBe("");
      expect(placeholders(text), key).toEqual(placeholders(english[key] as string));
    }
  });

  it("hold nothing that no view shows", () => {
    const code = Object.values(SOURCES).join("\n");
    const groups = new Set([...code.matchAll(/label\(\s*"(\w+)"/g)].map((match) => match[1]));
    // Named by a list or by what is chosen.
    const built = [...code.matchAll(/`(\w+)\.\$\{/g)].map((match) => match[1]);
    // Names of what a rule matches, which stand beside those of parameters.
    const named = new Set([...groups, ...built, "match", "parameter"]);
    const unused = Object.keys(english).filter(
      (key) => !code.includes(`"${key}"`) && !named.has(key.split(".")[0]),
    );
    expect(unused).toEqual([]);
  });

  it("are loaded by the language of Home Assistant, else in English", async () => {
    expect(languageOf("pt-BR")).toBe("pt");
    expect(languageOf("zh-Hans")).toBe("en");
    expect(languageOf(undefined)).toBe("en");
    const german = await loadLanguage("de-CH");
    expect(german.text("tab.try")).toBe("Probieren");
    expect(german.label("state", "input-required")).toBe("Fragt nach");
    expect(german.label("state", "of_tomorrow")).toBe("of_tomorrow");
  });

  it("are filled in by name", () => {
    expect(fill("{done} of {total}", { done: 1, total: "2" })).toBe("1 of 2");
    expect(fill("{unknown}", {})).toBe("{unknown}");
  });
});
