/** A turn as a file for a bug report: JSON, or Markdown that people can read. */

import type { Detail, Line, Reading, Task } from "../api/models";
import { redacted } from "./redact";

export type Kind = "markdown" | "json";

/** A turn, and what the readers make of its sentence now where they were asked. */
export interface Exported {
  turn: Line & Detail & { task: Task | null };
  reading: Reading | null;
}

/** Returns the text of the file; without words, unless they are wanted. */
export function report(exported: Exported, kind: Kind, withWords: boolean): string {
  const whole = (withWords ? exported : redacted(exported)) as Exported;
  return kind === "json" ? `${JSON.stringify(whole, null, 2)}\n` : markdown(whole);
}

export function fileName(exported: Exported, kind: Kind): string {
  return `bellboard-${exported.turn.id}.${kind === "json" ? "json" : "md"}`;
}

// A bug report is read by those who mend Bellboard, so its headings are in English.
function markdown({ turn, reading }: Exported): string {
  const lines: string[] = [
    `# Turn ${turn.id}\n`,
    table(
      ["what", "value"],
      [
        ["said", turn.utterance],
        ["replied", turn.reply],
        ["state", turn.state],
        ["language", turn.language],
        ["agents", list(turn.agents)],
        ["decided by", list(turn.sources)],
        ["corrected", String(turn.is_corrected)],
        ["took", `${turn.ms} ms`],
        ["model calls", String(turn.model_calls)],
        ["prompt tokens", `${turn.prompt_tokens}, of these cached ${turn.cached_tokens}`],
        ["completion tokens", String(turn.completion_tokens)],
        ["tools", `${list(turn.tools)} (rounds: ${turn.tool_rounds})`],
        ["cost", String(turn.cost ?? "–")],
        ["threshold", String(turn.threshold)],
        ["eligible", list(turn.eligible)],
      ],
    ),
    section(
      "Stages",
      table(
        ["stage", "ms", "level", "payload"],
        turn.stages.map((stage) => [stage.stage, String(stage.ms), stage.level, json(stage.payload)]),
      ),
    ),
    section(
      "Parts",
      table(
        ["part", "agent", "decided by", "confidence", "intent", "scores", "reason"],
        turn.parts.map((part) => [
          part.instruction,
          part.agent_id,
          part.source,
          `${part.confidence} (${part.measure})`,
          part.intent?.name ?? "",
          json(part.scores),
          part.reason,
        ]),
      ),
    ),
  ];
  if (reading) {
    lines.push(
      section(
        "Words, as they are read now",
        table(
          ["words", "role", "value"],
          reading.spans.map((span) => [
            span.text,
            span.senses[0]?.role ?? (span.is_mark ? "mark" : "unknown"),
            span.senses[0]?.value ?? "",
          ]),
        ),
      ),
    );
  }
  lines.push(
    section(
      "Plans",
      turn.plans
        .map((plan) => `\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``)
        .join("\n\n"),
    ),
    section(
      "Policies",
      table(
        ["effect", "rule", "action", "reason"],
        turn.policies.map((each) => [each.effect, each.rule ?? "", each.action, each.reason]),
      ),
    ),
    section(
      "States",
      table(
        ["entity", "before", "after", "attributes"],
        turn.states.map((each) => [
          each.entity_id,
          each.before,
          each.after ?? "",
          json(each.attributes),
        ]),
      ),
    ),
  );
  for (const [index, call] of turn.models.entries()) {
    const about =
      `${call.provider} ${call.model}, ${call.ms ?? "?"} ms, ` +
      `${call.prompt_tokens} (cached ${call.cached_tokens}) + ${call.completion_tokens} tokens`;
    const messages = call.messages.map((message) => `**${message.role}**\n\n${fenced(message.content)}`);
    lines.push(
      section(
        `Model call ${index + 1}: ${call.purpose}`,
        [about, ...messages, `**answer**\n\n${fenced(call.error ?? call.answer)}`].join("\n\n"),
      ),
    );
  }
  return `${lines.filter(Boolean).join("\n")}\n`;
}

function section(title: string, content: string): string {
  return content ? `\n## ${title}\n\n${content}` : "";
}

function table(heads: string[], rows: string[][]): string {
  if (!rows.length) return "";
  const row = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [row(heads), row(heads.map(() => "---")), ...rows.map(row)].join("\n");
}

function cell(text: string): string {
  // Markdown takes what begins like a tag for one.
  return String(text).replaceAll("|", "\\|").replaceAll("<", "\\<").replace(/\s*\n\s*/g, " ");
}

/** Puts a text in a fence that is longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function list(items: readonly string[]): string {
  return items.join(", ");
}

function json(value: unknown): string {
  const text = JSON.stringify(value);
  return text === "{}" ? "" : text;
}
