/** How connections, models and routing do; asked for again every ten seconds while one looks. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import type { AssistantHealth, ConnectionHealth, ModelHealth } from "../api/models";
import { shares } from "../charts/scale";
import { agentName, money } from "../context";
import { BbElement, Loader } from "../elements/base";
import { alert, bar, chip, empty, loading } from "../elements/parts";
import "../charts/latency";

const INTERVAL = 10_000;

@customElement("bb-health")
export class BbHealth extends BbElement {
  private readonly health = new Loader<ConnectionHealth[]>(this);
  private timer = 0;

  static override styles = [
    ...BbElement.styles,
    css`
      .models {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 360px), 1fr));
        gap: 24px;
        align-items: start;
      }
      .counts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr));
        gap: 24px;
      }
      .counts li {
        display: grid;
        grid-template-columns: minmax(96px, 40%) minmax(0, 1fr) 48px;
        gap: 12px;
        align-items: center;
      }
      .counts .numeric {
        text-align: end;
      }
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(120px, 1fr));
        gap: 12px;
      }
      .figures dt {
        color: var(--bb-muted);
        font-size: var(--ha-font-size-s, 12px);
      }
      .figures dd {
        font-size: var(--ha-font-size-l, 16px);
        overflow-wrap: anywhere;
      }
      h4 {
        margin-block-end: 8px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.refresh();
    this.timer = window.setInterval(() => {
      if (document.visibilityState === "visible") this.refresh();
    }, INTERVAL);
    document.addEventListener("visibilitychange", this.seen);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.seen);
  }

  private readonly seen = (): void => {
    if (document.visibilityState === "visible") this.refresh();
  };

  private refresh(): void {
    void this.health.load(() => this.ctx.api.health());
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const found = this.health.data;
    return html`<div class="stack">
      ${this.health.error ? alert(this.health.error, "error") : nothing}
      ${found
        ? found.length
          ? found.map((connection) => this.connection(connection))
          : html`<div class="card">${empty(t("health.empty"))}</div>`
        : this.health.error
          ? nothing
          : loading(t("status.loading"))}
    </div>`;
  }

  private connection(connection: ConnectionHealth): TemplateResult {
    const { t, format, label } = this.ctx;
    const { breaker, unavailable_since: since } = connection;
    return html`<section class="card stack" data-test="connection">
      <div class="row spread">
        <h3>
          ${connection.title}
          ${connection.provider === "none" ? nothing : html`<span class="muted small">${connection.provider}</span>`}
        </h3>
        <span class="row">
          ${since
            ? chip(t("health.away", { when: format.time(since) }), "error")
            : connection.has_model
              ? chip(t("health.there"), "success")
              : nothing}
          ${breaker
            ? chip(
                `${t("health.breaker")}: ${label("breaker", breaker)}`,
                breaker === "closed" ? "neutral" : breaker === "open" ? "error" : "warning",
              )
            : nothing}
          ${connection.waiting
            ? chip(t("health.waiting", { count: format.number(connection.waiting) }), "warning")
            : nothing}
        </span>
      </div>
      ${connection.assistants.map((assistant) => this.assistant(assistant))}
      ${connection.assistants.length ? nothing : empty(t("health.no_assistant"))}
    </section>`;
  }

  private assistant(assistant: AssistantHealth): TemplateResult {
    const { t, format, label } = this.ctx;
    const { routing } = assistant;
    const roles = Object.entries(assistant.roles).filter(([, model]) => model);
    const costs = assistant.models.flatMap((model) => model.cost ?? []);
    return html`<article class="stack" data-test="health-assistant">
      <h3>${assistant.title}</h3>
      <dl class="figures">
        ${this.figure(t("health.decisions"), format.number(routing.decisions))}
        ${this.figure(
          t("health.routing"),
          `${format.duration(routing.latency_p50)} / ${format.duration(routing.latency_p95)}`,
        )}
        ${this.figure(
          t("health.confidence"),
          routing.mean_confidence === null ? "–" : format.score(routing.mean_confidence),
        )}
        ${this.figure(t("health.fallbacks"), format.number(routing.fallbacks))}
        ${this.figure(t("health.conversations"), format.number(assistant.conversations))}
        ${this.figure(t("health.store"), label("store", assistant.store))}
        ${this.figure(t("health.learned"), format.number(assistant.learned))}
        ${this.figure(t("health.dropped"), format.number(assistant.events_dropped))}
        ${costs.length
          ? this.figure(t("label.cost"), money(this.ctx, costs.reduce((sum, each) => sum + each)))
          : nothing}
        ${roles.length
          ? this.figure(t("compare.contract"), label("contract", assistant.contract))
          : nothing}
        ${roles.map(([role, model]) => this.figure(label("model_role", role), model ?? "–"))}
      </dl>
      ${assistant.models.length
        ? html`<div class="models">
            ${assistant.models.map((model) => this.model(model))}
          </div>`
        : html`<p class="muted">${t("health.no_model")}</p>`}
      ${routing.decisions
        ? html`<div class="counts">
            ${this.counts(t("health.by_source"), routing.by_source, (id) => label("source", id))}
            ${this.counts(t("health.by_agent"), routing.by_agent, (id) => agentName(this.ctx, id))}
          </div>`
        : nothing}
    </article>`;
  }

  private figure(name: string, value: string): TemplateResult {
    return html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  }

  private model(model: ModelHealth): TemplateResult {
    const { t, format, label } = this.ctx;
    const errors = Object.entries(model.errors);
    const share = model.prompt_tokens ? model.cached_tokens / model.prompt_tokens : 0;
    return html`<figure class="stack tight" data-test="model">
      <figcaption>
        <b class="wrap">${model.model}</b> <span class="muted small">${model.provider}</span>
      </figcaption>
      <p class="row small">
        <span>${t("turns.model_calls", { count: format.number(model.calls) })}</span>
        <span>
          ${t("health.times", {
            median: format.duration(model.median_ms),
            p95: format.duration(model.p95_ms),
          })}
        </span>
      </p>
      <bb-latency .ctx=${this.ctx} .values=${model.latencies} .name=${model.model}></bb-latency>
      <p class="small muted">
        ${t("models.tokens", {
          prompt: format.number(model.prompt_tokens),
          cached: format.percent(share),
          answer: format.number(model.completion_tokens),
        })}
      </p>
      ${errors.length
        ? html`<p class="row">
            ${errors.map(([name, count]) => chip(`${label("model_error", name)}: ${format.number(count)}`, "error"))}
          </p>`
        : nothing}
    </figure>`;
  }

  private counts(
    title: string,
    values: Record<string, number>,
    name: (id: string) => string,
  ): TemplateResult {
    return html`<section>
      <h4>${title}</h4>
      <ul class="stack tight">
        ${shares(values).map(
          (each) => html`<li>
            <span class="wrap">${name(each.name)}</span>
            ${bar(each.share)}
            <span class="numeric small">${this.ctx.format.number(each.value)}</span>
          </li>`,
        )}
      </ul>
    </section>`;
  }
}
