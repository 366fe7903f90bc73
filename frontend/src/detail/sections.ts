/** All that led to an answer: the sections that a turn and a try have in common. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { styleMap } from "lit/directives/style-map.js";

import type {
  Agent,
  Call,
  Detail,
  Execution,
  ModelCall,
  NextStep,
  Part,
  Reading,
  StateChange,
  Verdict,
} from "../api/models";
import { agentName, entityName } from "../context";
import { BbElement } from "../elements/base";
import { alert, bar, chip, loading, toneOfEffect, toneOfState } from "../elements/parts";
import "./prompts";
import { candidates } from "./candidates";
import { bars, extent } from "./waterfall";
import { LEGEND, wordsOfSpans, type Word } from "./words";

/** Errors of a device that did not do what it was told, other than those that were never told. */
const SILENT = new Set(["no_answer", "partly", "unavailable"]);

@customElement("bb-detail")
export class BbDetail extends BbElement {
  @property({ attribute: false }) detail!: Detail;
  @property({ attribute: false }) ms = 0;
  @property({ attribute: false }) reading: Reading | null = null;
  @property({ attribute: false }) reading_error: string | null = null;
  @property({ attribute: false }) agents: readonly Agent[] = [];
  /** Nothing was done: it was only tried. */
  @property({ type: Boolean }) trial = false;
  @property({ type: Boolean }) has_words = true;

  static override styles = [
    ...BbElement.styles,
    css`
      .waterfall {
        display: grid;
        gap: 6px;
      }
      .waterfall > li {
        display: grid;
        grid-template-columns: minmax(120px, 30%) minmax(0, 1fr) 72px;
        gap: 0 12px;
        align-items: center;
      }
      .waterfall .numeric {
        text-align: end;
      }
      @container page (max-width: 600px) {
        .waterfall > li {
          grid-template-columns: minmax(0, 1fr) 64px;
        }
        .waterfall > li > :first-child {
          grid-column: 1 / -1;
        }
      }
      .waterfall .track {
        position: relative;
        block-size: 14px;
        background: color-mix(in srgb, var(--bb-text) 6%, transparent);
        border-radius: 3px;
      }
      .waterfall .piece {
        position: absolute;
        inset-block: 0;
        min-inline-size: 2px;
        border-radius: 3px;
        background: var(--bb-accent);
      }
      .waterfall .piece.model {
        background: var(--bb-warning);
      }
      .waterfall .piece.warn {
        outline: 2px solid var(--bb-warning);
      }
      .waterfall .piece.error {
        background: var(--bb-error);
      }
      .key {
        display: inline-block;
        inline-size: 12px;
        block-size: 12px;
        border-radius: 3px;
        background: var(--bb-accent);
        margin-inline-end: 4px;
        vertical-align: -1px;
      }
      .key.model {
        background: var(--bb-warning);
      }

      .words {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      .word {
        display: grid;
        align-content: start;
        padding: 4px 8px;
        border-radius: 6px;
        border-block-end: 3px solid var(--tone);
        background: color-mix(in srgb, var(--tone) 14%, transparent);
        max-inline-size: 100%;
        overflow-wrap: anywhere;
      }
      .word b {
        font-weight: 500;
        font-size: var(--ha-font-size-l, 16px);
      }
      .word.mark {
        background: none;
        border-color: transparent;
        padding-inline: 0;
      }
      .word.unknown {
        border-block-end-style: dashed;
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
        margin-block-start: 12px;
      }
      .legend i {
        display: inline-block;
        inline-size: 12px;
        block-size: 12px;
        border-radius: 3px;
        background: var(--tone);
        margin-inline-end: 6px;
        vertical-align: -1px;
      }
      .action {
        --tone: #2e7dd7;
      }
      .value {
        --tone: #c05bd0;
      }
      .thing {
        --tone: #2f9e55;
      }
      .place {
        --tone: #c98a00;
      }
      .scope {
        --tone: #149a9a;
      }
      .joining {
        --tone: #7a6ee0;
      }
      .asking {
        --tone: #d5639b;
      }
      .filler {
        --tone: #8a8a8a;
      }
      .unknown {
        --tone: var(--bb-error);
      }

      .candidate {
        display: grid;
        grid-template-columns: minmax(110px, 30%) minmax(0, 1fr) auto;
        gap: 2px 12px;
        align-items: center;
      }
      .candidate + .candidate {
        margin-block-start: 10px;
      }
      .candidate .why {
        grid-column: 1 / -1;
      }
      .chosen .name {
        font-weight: 500;
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { detail } = this;
    return html`<div class="stack">
      ${this.waterfall()}${this.words()}${this.recognised()}${this.guards()}
      ${detail.parts.map((part, index) => this.candidatesOf(part, index))} ${this.asked()}
      ${this.modelCalls(detail.models)} ${detail.plans.map((plan) => this.plan(plan))}
      ${this.policies(detail.policies)} ${this.states(detail.states)}
      ${this.nextSteps(detail.next_steps)} ${this.workflow()}
    </div>`;
  }

  private waterfall(): TemplateResult | typeof nothing {
    const { t, format, label } = this.ctx;
    const found = bars(this.detail.stages, this.detail.models, this.ms);
    if (!found.length) return nothing;
    const width = extent(found, this.ms);
    const percent = (ms: number) => `${((ms / width) * 100).toFixed(3)}%`;
    const has_models = found.some((each) => each.kind === "model");
    return html`<section class="card" data-test="section-stages">
      <h3>${t("stages.title")}</h3>
      <ol class="waterfall">
        ${found.map(
          (each) => html`<li>
            <span>
              ${each.kind === "model" ? label("purpose", each.name) : label("stage", each.name)}
              ${each.of ? html`<span class="small muted wrap">${each.kind === "stage" ? this.agentName(each.of) : each.of}</span>` : nothing}
              ${each.note
                ? html`<span class="small">(${label("level", each.note)})</span>`
                : nothing}
            </span>
            <span class="track" aria-hidden="true">
              <span
                class="piece ${each.kind} ${each.level}"
                style=${styleMap({
                  insetInlineStart: percent(Math.min(each.from, width * 0.995)),
                  inlineSize: percent(each.to - each.from),
                })}
              ></span>
            </span>
            <span class="numeric small">${format.duration(each.to - each.from)}</span>
          </li>`,
        )}
      </ol>
      ${has_models
        ? html`<p class="small muted" style="margin-block-start:8px">
            <span class="key"></span>${t("stages.key_stage")} ·
            <span class="key model"></span>${t("stages.key_model")}
          </p>`
        : nothing}
    </section>`;
  }

  private words(): TemplateResult {
    const { t, label } = this.ctx;
    const words = wordsOfSpans(this.reading?.spans ?? []);
    const present = new Set(words.map((word) => word.group));
    return html`<section class="card" data-test="section-words">
      <h3>${t("words.title")}</h3>
      ${this.reading_error ? alert(this.reading_error, "error") : nothing}
      ${!this.has_words
        ? html`<p class="muted">${t("words.hidden")}</p>`
        : !this.reading
          ? this.reading_error
            ? nothing
            : loading(t("status.loading"))
          : html`
              ${this.trial ? nothing : html`<p class="small muted">${t("words.now")}</p>`}
              ${words.length
                ? html`<ul class="words" style="margin-block-start:8px">
                      ${words.map((word) => this.word(word))}
                    </ul>
                    <ul class="legend small" aria-label=${t("words.legend")}>
                      ${LEGEND.filter((group) => present.has(group)).map(
                        (group) => html`<li class=${group}>
                          <i aria-hidden="true"></i>${label("word_group", group)}
                        </li>`,
                      )}
                    </ul>`
                : html`<p class="muted">${t("words.none")}</p>`}
            `}
    </section>`;
  }

  private word(word: Word): TemplateResult {
    const { label, t } = this.ctx;
    if (word.group === "mark") return html`<li class="word mark"><b>${word.text}</b></li>`;
    const role = word.role ? label("role", word.role) : t("words.unknown");
    const more = word.others.map((each) => `${label("role", each.role)} ${each.value}`.trim());
    const value = word.value && word.value !== word.text ? word.value : "";
    return html`<li
      class="word ${word.group}"
      data-test="word"
      title=${more.length ? t("words.or", { others: more.join(", ") }) : nothing}
    >
      <b>${word.text}</b>
      <span class="small">${role}</span>
      ${value ? html`<span class="small muted">${value}</span>` : nothing}
    </li>`;
  }

  private recognised(): TemplateResult | typeof nothing {
    const { t } = this.ctx;
    if (!this.reading) return nothing;
    const found = this.reading.recognized;
    return html`<section class="card" data-test="section-recognized">
      <h3>${t("recognized.title")}</h3>
      ${found
        ? html`<dl class="facts">
            <dt>${t("recognized.intent")}</dt>
            <dd><code>${found.intent}</code></dd>
            ${Object.entries(found.slots).map(
              ([name, value]) => html`<dt>${name}</dt>
                <dd>${value}</dd>`,
            )}
            ${found.targets.length
              ? html`<dt>${t("label.devices")}</dt>
                  <dd>${this.names(found.targets)}</dd>`
              : nothing}
            ${found.template
              ? html`<dt>${t("recognized.template")}</dt>
                  <dd><code>${found.template}</code></dd>`
              : nothing}
          </dl>`
        : html`<p class="muted">${t("recognized.none")}</p>`}
    </section>`;
  }

  private guards(): TemplateResult | typeof nothing {
    const { t, label } = this.ctx;
    if (!this.reading?.guards.length) return nothing;
    return html`<section class="card" data-test="section-guards">
      <h3>${t("guards.title")}</h3>
      <p class="muted small">${t("guards.about")}</p>
      <ul class="stack tight">
        ${this.reading.guards.map(
          (guard) => html`<li>
            ${chip(label("guard", guard.reason), "warning")} ${this.ctx.t("label.quoted", { text: guard.words })}
          </li>`,
        )}
      </ul>
    </section>`;
  }

  private candidatesOf(part: Part, index: number): TemplateResult {
    const { t, format, label } = this.ctx;
    const many = this.detail.parts.length > 1;
    const { threshold } = this.detail;
    const is_measured = part.measure !== "none";
    const is_sure = part.confidence >= threshold;
    const found = candidates(part, this.detail.eligible, this.agents, (id) => this.agentName(id));
    return html`<section class="card" data-test="section-candidates">
      <h3>
        ${many ? t("candidates.title_part", { number: index + 1 }) : t("candidates.title")}
      </h3>
      ${many ? html`<p class="wrap">${this.ctx.t("label.quoted", { text: part.instruction })}</p>` : nothing}
      <p class="row" style="margin-block:4px 12px">
        ${chip(label("source", part.source), "info")}
        <span>
          ${t(is_sure ? "candidates.sure" : "candidates.unsure", {
            confidence: format.score(part.confidence),
            threshold: format.score(threshold),
          })}
        </span>
        ${is_measured
          ? html`<span class="small muted">${label("measure", part.measure)}</span>`
          : nothing}
        ${Object.entries(part.confidences ?? {})
          .filter(([measure]) => measure !== part.measure)
          .map(
            ([measure, other]) =>
              html`<span class="small muted">
                <span class="numeric">${format.score(other)}</span> ${label("measure", measure)}
              </span>`,
          )}
      </p>
      <ul>
        ${found.filter((each) => each.score !== null).map(
          (each) => html`<li class=${classMap({ candidate: true, chosen: each.is_chosen })}>
            <span class="name wrap">${each.name}</span>
            ${bar(each.score ?? 0, each.is_chosen ? threshold : undefined)}
            <span class="numeric small">${format.score(each.score ?? 0)}</span>
            <span class="why small muted">
              ${t(each.is_chosen ? "candidates.chosen" : "loss.lower")}
            </span>
          </li>`,
        )}
        ${(["no_words", "not_asked", "out_of_scope"] as const).map((loss) => {
          const lost = found.filter((each) => each.loss === loss).map((each) => each.name);
          return lost.length
            ? html`<li class="candidate">
                <span class="wrap why">
                  ${format.list(lost)}:
                  <span class="muted">
                    ${t(`loss.${loss}`, { source: label("source", part.source) })}
                  </span>
                </span>
              </li>`
            : nothing;
        })}
      </ul>
      <dl class="facts" style="margin-block-start:12px">
        ${part.reason
          ? html`<dt>${t("label.reason")}</dt>
              <dd>${part.reason}</dd>`
          : nothing}
        ${part.decline
          ? html`<dt>${t("candidates.declined")}</dt>
              <dd><code>${part.decline}</code></dd>`
          : nothing}
        ${part.intent
          ? html`<dt>${t("recognized.intent")}</dt>
              <dd>
                <code>${part.intent.name}</code>
                ${part.intent.is_ambiguous
                  ? chip(t("candidates.ambiguous"), "warning")
                  : nothing}
                ${this.values(part.intent.slots)}
                ${part.intent.targets.length
                  ? html`<div>${this.names(part.intent.targets)}</div>`
                  : nothing}
              </dd>`
          : nothing}
      </dl>
    </section>`;
  }

  /** Who answered, and how that went; for most turns the same one that was chosen. */
  private asked(): TemplateResult | typeof nothing {
    const { t, format, label } = this.ctx;
    const asked = this.detail.agents_asked;
    if (!asked.length) return nothing;
    return html`<section class="card" data-test="section-asked">
      <h3>${t("asked.title")}</h3>
      <ul class="stack tight">
        ${asked.map(
          (each) => html`<li class="row">
            <b>${this.agentName(each.id)}</b>
            ${chip(label("source", each.source), "info")}
            ${each.success === undefined
              ? nothing
              : chip(
                  t(each.success ? "asked.success" : "asked.failure"),
                  each.success ? "success" : "error",
                )}
            <span class="numeric small muted">
              ${each.ms === undefined ? nothing : format.duration(each.ms)}
            </span>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  private modelCalls(calls: readonly ModelCall[]): TemplateResult {
    const { t } = this.ctx;
    return html`<section class="card" data-test="section-models">
      <h3>${t("models.title")}</h3>
      ${calls.length
        ? html`<bb-prompts .ctx=${this.ctx} .calls=${calls}></bb-prompts>`
        : html`<p class="muted">${t("models.none")}</p>`}
    </section>`;
  }

  private plan(plan: Execution): TemplateResult {
    const { t, label } = this.ctx;
    const silent = plan.calls.flatMap((call) =>
      call.outcomes.filter((outcome) => outcome.error && SILENT.has(outcome.error)),
    );
    return html`<section class="card" data-test="section-plan">
      <h3>${t("plan.title", { agent: this.agentName(plan.agent_id) })}</h3>
      <div class="stack tight">
        ${plan.actions.length
          ? html`<ul class="stack tight">
              ${plan.actions.map(
                (action) => html`<li>
                  <code>${action.name}</code> ${this.names(action.targets)}
                  ${this.values(action.parameters)}
                </li>`,
              )}
            </ul>`
          : nothing}
        ${plan.steps.length
          ? html`<p class="row">
              <span class="small muted">${t("plan.steps")}</span>
              ${plan.steps.map((step) =>
                chip(
                  `${label("step", step.type)}: ${label("step_status", step.status)}`,
                  toneOfState(step.status),
                ),
              )}
            </p>`
          : nothing}
        ${plan.question
          ? html`<p><span class="muted">${t("plan.question")}</span> ${plan.question}</p>`
          : nothing}
        ${silent.length
          ? alert(
              t("plan.silent", {
                devices: this.ctx.format.list(silent.map((each) => this.name(each.entity_id))),
              }),
              "warning",
            )
          : nothing}
        ${plan.to_confirm.map((verdict) => this.verdict(verdict))}
        ${plan.dry_run_calls.length
          ? html`<h4>${t("plan.would")}</h4>
              <ul class="stack tight">
                ${plan.dry_run_calls.map((call) => html`<li>${this.call(call)}</li>`)}
              </ul>`
          : nothing}
        ${plan.calls.length
          ? html`<h4>${t("plan.calls")}</h4>
              <ul class="list">
                ${plan.calls.map(
                  (call) => html`<li data-test="call">
                    ${this.call(call)}
                    ${call.note ? html`<p class="small muted">${call.note}</p>` : nothing}
                    <ul>
                      ${call.outcomes.map(
                        (outcome) => html`<li class="row" data-test="outcome">
                          <span>${this.name(outcome.entity_id)}</span>
                          ${outcome.error
                            ? chip(label("outcome", outcome.error), "error")
                            : chip(t("plan.done"), "success")}
                          ${outcome.detail
                            ? html`<span class="small">${outcome.detail}</span>`
                            : nothing}
                        </li>`,
                      )}
                    </ul>
                  </li>`,
                )}
              </ul>`
          : nothing}
      </div>
    </section>`;
  }

  private call(call: Call): TemplateResult {
    const { entity_id, ...data } = call.data;
    const targets = Array.isArray(entity_id) ? entity_id.map(String) : [];
    return html`<div>
      <code>${call.action}</code>
      ${targets.length ? html` → ${this.names(targets)}` : nothing} ${this.values(data)}
      ${call.assumed ? chip(this.ctx.t("plan.assumed"), "warning") : nothing}
    </div>`;
  }

  private policies(verdicts: readonly Verdict[]): TemplateResult | typeof nothing {
    if (!verdicts.length) return nothing;
    return html`<section class="card" data-test="section-policies">
      <h3>${this.ctx.t("policies.decisions")}</h3>
      <div class="stack tight">${verdicts.map((verdict) => this.verdict(verdict))}</div>
    </section>`;
  }

  private verdict(verdict: Verdict): TemplateResult {
    const { t, label } = this.ctx;
    return html`<div>
      <div class="row">
        ${chip(label("effect", verdict.effect), toneOfEffect(verdict.effect))}
        ${verdict.rule ? html`<span>${verdict.rule}</span>` : nothing}
        ${verdict.needs_code ? chip(t("policies.needs_code"), "warning") : nothing}
      </div>
      ${this.call(verdict)}
      ${verdict.reason ? html`<p class="small muted">${verdict.reason}</p>` : nothing}
    </div>`;
  }

  private states(changes: readonly StateChange[]): TemplateResult | typeof nothing {
    const { t, format } = this.ctx;
    if (!changes.length) return nothing;
    return html`<section class="card" data-test="section-states">
      <h3>${t("states.title")}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${t("states.title")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("label.device")}</th>
              <th scope="col">${t("states.what")}</th>
              <th scope="col">${t("states.before")}</th>
              <th scope="col">${t("states.after")}</th>
            </tr>
          </thead>
          <tbody>
            ${changes.map((change) => {
              const attributes = Object.entries(change.attributes);
              return html`<tr>
                  <th scope="row" rowspan=${attributes.length + 1} title=${change.entity_id}>
                    ${change.name}
                  </th>
                  <td>${t("states.state")}</td>
                  <td>${change.before}</td>
                  <td>${change.after ?? "–"}</td>
                </tr>
                ${attributes.map(
                  ([name, [before, after]]) => html`<tr>
                    <td><code>${name}</code></td>
                    <td>${format.value(before)}</td>
                    <td>${format.value(after)}</td>
                  </tr>`,
                )}`;
            })}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  private nextSteps(steps: readonly NextStep[]): TemplateResult | typeof nothing {
    const { t, format } = this.ctx;
    if (!steps.length) return nothing;
    return html`<section class="card" data-test="section-next">
      <h3>${t("next.title")}</h3>
      <ol class="list">
        ${steps.map(
          (step) => html`<li>
            <div class="row">
              <b>${step.agent_id ? this.agentName(step.agent_id) : t("next.complete")}</b>
              ${chip(step.router, "info")}
              ${step.confidence === null || step.confidence === undefined
                ? nothing
                : html`<span class="numeric small">${format.score(step.confidence)}</span>`}
            </div>
            ${step.instruction ? html`<p>${this.ctx.t("label.quoted", { text: step.instruction })}</p>` : nothing}
            ${step.reasoning ? html`<p class="small muted">${step.reasoning}</p>` : nothing}
          </li>`,
        )}
      </ol>
    </section>`;
  }

  private workflow(): TemplateResult | typeof nothing {
    const { workflow } = this.detail;
    if (!Object.keys(workflow).length) return nothing;
    return html`<section class="card" data-test="section-workflow">
      <details>
        <summary>${this.ctx.t("next.workflow")}</summary>
        <pre tabindex="0">${JSON.stringify(workflow, null, 2)}</pre>
      </details>
    </section>`;
  }

  private agentName(id: string): string {
    return agentName(this.ctx, id);
  }

  private name(entityId: string): string {
    return entityName(this.ctx, entityId);
  }

  private names(entityIds: readonly string[]): TemplateResult {
    return html`${entityIds.map(
      (id, index) => html`${index ? ", " : nothing}<span title=${id}>${this.name(id)}</span>`,
    )}`;
  }

  private values(values: Record<string, unknown>): TemplateResult | typeof nothing {
    const found = Object.entries(values);
    if (!found.length) return nothing;
    return html`<span class="small">
      ${found.map(
        ([name, value], index) =>
          html`${index ? ", " : "("}<code>${name}</code>: ${this.ctx.format.value(value)}`,
      )})
    </span>`;
  }
}
