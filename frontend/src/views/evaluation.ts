/** The cases of the house: what became of them, and a run of all with its progress. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { styleMap } from "lit/directives/style-map.js";

import type { CaseReport, Evaluation, EvaluationEvent, EvaluationReport } from "../api/models";
import { agentNames } from "../context";
import { AssistantView, Loader, valueOf } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, empty, loading, toneOfState } from "../elements/parts";
import { type Unsubscribe, wordsOf } from "../ha";
import "../elements/assistant";

/** The house's own file, beside `configuration.yaml`. */
const CASES = "bellboard_cases.yaml";
const CHANGES = ["worse", "better", "otherwise", "new", "gone"] as const;

@customElement("bb-evaluation")
export class BbEvaluation extends AssistantView {
  @state() private path = CASES;
  @state() private total = 0;
  @state() private reports: ReadonlyMap<string, CaseReport> = new Map();
  @state() private report: EvaluationReport | null = null;
  @state() private isRunning = false;
  @state() private wasStopped = false;
  @state() private error: string | null = null;
  @state() private only_failed = false;

  private readonly cases = new Loader<Evaluation>(this);
  private unsubscribe: Unsubscribe | null = null;
  private run = 0;

  static override styles = [
    ...AssistantView.styles,
    css`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .progress {
        block-size: 12px;
        border-radius: 6px;
        background: color-mix(in srgb, var(--bb-text) 10%, transparent);
        overflow: hidden;
      }
      .progress > div {
        block-size: 100%;
        background: var(--bb-accent);
      }
      .case {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
      }
      .case > .what {
        grid-column: 1 / -1;
      }
      @media (prefers-reduced-motion: no-preference) {
        .progress > div {
          transition: inline-size 150ms;
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.stop();
  }

  protected override prepare(): void {
    void this.stop();
    this.reports = new Map();
    this.report = null;
    this.wasStopped = false;
    this.error = null;
    this.load();
  }

  private load(): void {
    const { api, assistant } = this.ctx;
    void this.cases.load(() => api.evaluation(assistant.id, this.path.trim() || CASES));
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const found = this.cases.data;
    return html`<div class="stack">
      ${this.form(found)}
      ${this.error ? alert(this.error, "error") : nothing}
      ${this.cases.error ? alert(this.cases.error, "error") : nothing}
      ${this.isRunning || this.wasStopped ? this.progress() : nothing}
      ${this.report ? this.summary(this.report) : nothing}
      ${found?.error && found.cases.length === 0
        ? html`<div class="card">
            ${empty(t("evaluation.empty"))}
            <p class="small muted" style="text-align:center">${found.error}</p>
          </div>`
        : found
          ? this.list(found)
          : this.cases.error
            ? nothing
            : loading(t("status.loading"))}
    </div>`;
  }

  private form(found: Evaluation | undefined): TemplateResult {
    const { t, format } = this.ctx;
    const hasCases = Boolean(found?.cases.length);
    return html`<section class="card stack">
      <p>${t("evaluation.about")}</p>
      <div class="fields">
        <bb-assistant .ctx=${this.ctx}></bb-assistant>
        <label class="field">
          <span>${t("evaluation.file")}</span>
          <input
            type="text"
            .value=${this.path}
            ?disabled=${this.isRunning}
            data-test="evaluation-path"
            @change=${(event: Event) => {
              this.path = valueOf(event);
              this.prepare();
            }}
          />
        </label>
      </div>
      <div class="row">
        ${this.isRunning
          ? html`<button
              class="button danger"
              type="button"
              data-test="evaluation-stop"
              @click=${this.halt}
            >
              ${icon("stop", 18)} ${t("evaluation.stop")}
            </button>`
          : html`<button
              class="button primary"
              type="button"
              data-test="evaluation-run"
              ?disabled=${!hasCases}
              @click=${this.start}
            >
              ${icon("play", 18)} ${t("evaluation.run")}
            </button>`}
        ${found?.run_at
          ? html`<span class="small muted">
              ${t("evaluation.last", { when: format.moment(found.run_at) })}
            </span>`
          : nothing}
      </div>
    </section>`;
  }

  private progress(): TemplateResult {
    const { t, format } = this.ctx;
    const done = this.reports.size;
    const share = this.total ? done / this.total : 0;
    const text = t(this.wasStopped ? "evaluation.stopped" : "evaluation.progress", {
      done: format.number(done),
      total: format.number(this.total),
    });
    return html`<section class="card stack tight">
      <div
        class="progress"
        role="progressbar"
        aria-label=${t("evaluation.run")}
        aria-valuemin="0"
        aria-valuemax=${this.total}
        aria-valuenow=${done}
        aria-valuetext=${text}
        data-test="progress"
      >
        <div style=${styleMap({ inlineSize: `${share * 100}%` })}></div>
      </div>
      <p class="small">${text}</p>
    </section>`;
  }

  private summary(report: EvaluationReport): TemplateResult {
    const { t, format } = this.ctx;
    const { earlier } = report;
    const changed = earlier ? CHANGES.filter((each) => earlier[each].length) : [];
    return html`<section class="card stack" role="status" data-test="evaluation-report">
      <h3>${t("evaluation.result")}</h3>
      <p class="row">
        ${chip(t("evaluation.passed", { count: format.number(report.passed) }), "success")}
        ${chip(
          t("evaluation.failed", { count: format.number(report.failed) }),
          report.failed ? "error" : "neutral",
        )}
        ${report.skipped
          ? chip(t("evaluation.skipped", { count: format.number(report.skipped) }), "warning")
          : nothing}
        <span class="small muted">
          ${t("health.times", {
            median: format.duration(report.latency.p50_ms),
            p95: format.duration(report.latency.p95_ms),
          })}
        </span>
      </p>
      ${earlier
        ? changed.length
          ? html`<dl class="facts">
              ${changed.map(
                (each) => html`<dt>${t(`evaluation.${each}`)}</dt>
                  <dd>${earlier[each].join(", ")}</dd>`,
              )}
            </dl>`
          : html`<p class="muted">${t("evaluation.unchanged")}</p>`
        : html`<p class="muted">${t("evaluation.first")}</p>`}
    </section>`;
  }

  private list(found: Evaluation): TemplateResult {
    const { t } = this.ctx;
    if (!found.cases.length) {
      return html`<div class="card">${empty(found.error ?? t("evaluation.empty"))}</div>`;
    }
    const shown = found.cases.filter(
      (each) => !this.only_failed || this.outcomeOf(each) === "failed",
    );
    return html`<section class="card stack">
      <div class="row spread">
        <h3>${t("evaluation.cases")}</h3>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.only_failed}
            data-test="evaluation-failed"
            @change=${(event: Event) => {
              this.only_failed = (event.target as HTMLInputElement).checked;
            }}
          />
          ${t("evaluation.only_failed")}
        </label>
      </div>
      ${found.error ? alert(found.error, "error") : nothing}
      <ul class="list" data-test="cases">
        ${shown.map((each) => this.case(each))}
      </ul>
      ${shown.length ? nothing : empty(t("evaluation.none_failed"))}
    </section>`;
  }

  private outcomeOf(found: Evaluation["cases"][number]): string | null {
    return this.reports.get(found.id)?.outcome ?? found.outcome;
  }

  private case(found: Evaluation["cases"][number]): TemplateResult {
    const { t, label, format } = this.ctx;
    const report = this.reports.get(found.id);
    const outcome = this.outcomeOf(found);
    return html`<li class="case" data-test="case">
      <span class="wrap">${found.say.join(" → ")}</span>
      <span>
        ${outcome
          ? chip(label("case", outcome), toneOfState(outcome))
          : chip(t("evaluation.never"))}
      </span>
      <span class="small muted what wrap">
        ${found.id}${found.area ? ` · ${found.area}` : nothing}
      </span>
      ${report && (report.differences.length || report.reason)
        ? html`<details class="what" data-test="differences">
            <summary>${t("evaluation.differences")}</summary>
            <ul class="stack tight">
              ${report.reason ? html`<li>${report.reason}</li>` : nothing}
              ${report.differences.map((each) => html`<li class="wrap">${each}</li>`)}
              ${report.turns.map(
                (turn) => html`<li class="small muted wrap">
                  ${this.ctx.t("label.quoted", { text: turn.say })} → ${turn.reply} (${agentNames(this.ctx, turn.agents)},
                  ${format.duration(turn.ms)})
                </li>`,
              )}
            </ul>
          </details>`
        : nothing}
    </li>`;
  }

  private readonly start = async (): Promise<void> => {
    const { api, assistant } = this.ctx;
    await this.stop();
    const run = ++this.run;
    this.total = this.cases.data?.cases.length ?? 0;
    this.reports = new Map();
    this.report = null;
    this.error = null;
    this.wasStopped = false;
    this.isRunning = true;
    this.ctx.hass().connection.addEventListener("disconnected", this.lost);
    try {
      const unsubscribe = await api.runEvaluation(assistant.id, this.path.trim() || CASES, (event) => {
        if (run === this.run) this.take(event);
      });
      if (run === this.run && this.isRunning) this.unsubscribe = unsubscribe;
      else await unsubscribe();
    } catch (error) {
      if (run !== this.run) return;
      this.isRunning = false;
      this.error = wordsOf(error);
    }
  };

  private take(event: EvaluationEvent): void {
    if ("total" in event) {
      this.total = event.total;
    } else if ("case" in event) {
      this.reports = new Map(this.reports).set(event.case.id, event.case);
    } else {
      this.report = event.report;
      void this.stop();
      this.load();
    }
  }

  private readonly halt = (): void => {
    this.wasStopped = true;
    void this.stop();
  };

  /** Home Assistant forgets a run with its connection. */
  private readonly lost = (): void => {
    this.unsubscribe = null;
    this.wasStopped = true;
    this.error = this.ctx.t("status.disconnected");
    void this.stop();
  };

  private async stop(): Promise<void> {
    const { unsubscribe } = this;
    this.ctx.hass().connection.removeEventListener("disconnected", this.lost);
    this.run++;
    this.unsubscribe = null;
    this.isRunning = false;
    try {
      await unsubscribe?.();
    } catch (error) {
      this.error = wordsOf(error);
    }
  }
}
