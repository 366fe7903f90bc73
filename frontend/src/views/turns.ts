/** The turns as they come in, the newest first, with filters and a search. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";

import type { Line } from "../api/models";
import { agentName, agentNames, assistantTitle, money } from "../context";
import { BbElement, isChecked, valueOf } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, empty, loading, toneOfState } from "../elements/parts";
import { type Filter, filtered, isActive, NO_FILTER, occurring, PAGE } from "../turns/filter";
import "./planned";

@customElement("bb-turns")
export class BbTurns extends BbElement {
  @state() private lines: readonly Line[] = [];
  @state() private filter: Filter = NO_FILTER;
  @state() private shown = PAGE;

  private stopListening: (() => void) | null = null;

  static override styles = [
    ...BbElement.styles,
    css`
      .search {
        position: relative;
      }
      .search svg {
        position: absolute;
        inset-block-start: 10px;
        inset-inline-start: 12px;
        color: var(--bb-muted);
        pointer-events: none;
      }
      .search input {
        padding-inline-start: 40px !important;
      }
      .filters {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(150px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .seconds {
        inline-size: 72px !important;
        min-block-size: 32px !important;
        padding: 2px 8px !important;
      }
      .turns {
        padding: 0;
        overflow: hidden;
      }
      .turns li + li {
        border-block-start: 1px solid var(--bb-line);
      }
      a {
        display: grid;
        grid-template-columns: 92px minmax(0, 1fr) minmax(0, 110px) minmax(0, 150px) 110px 96px;
        gap: 4px 16px;
        align-items: center;
        padding: 10px 16px;
        text-decoration: none;
        content-visibility: auto;
        contain-intrinsic-block-size: auto 42px;
      }
      a:hover {
        background: color-mix(in srgb, var(--bb-text) 5%, transparent);
      }
      a:focus-visible {
        outline-offset: -2px;
      }
      .said,
      .reply {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .said {
        font-weight: 500;
        white-space: nowrap;
      }
      .reply {
        overflow-wrap: anywhere;
      }
      .figures {
        text-align: end;
        white-space: normal;
      }
      .figures > span {
        display: block;
      }
      @container page (max-width: 860px) {
        a {
          display: flex;
          flex-wrap: wrap;
          gap: 2px 12px;
        }
        a > .words {
          order: -1;
          flex: 1 1 100%;
        }
        .said,
        .reply {
          white-space: normal;
          overflow-wrap: anywhere;
        }
        .figures {
          margin-inline-start: auto;
        }
        .figures > span {
          display: inline;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const { feed, memory } = this.ctx;
    this.filter = memory.filter;
    this.shown = memory.shown;
    this.lines = feed.lines;
    this.stopListening = feed.listen(() => {
      this.lines = feed.lines;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
    this.ctx.memory.filter = this.filter;
    this.ctx.memory.shown = this.shown;
  }

  /** Brings one back to the line that one came from. */
  protected override firstUpdated(): void {
    const { memory } = this.ctx;
    if (!memory.last_turn) return;
    const line = this.renderRoot.querySelector<HTMLElement>(`a[data-turn="${memory.last_turn}"]`);
    memory.last_turn = null;
    window.scrollTo({ top: memory.scroll });
    line?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { t, feed, format } = this.ctx;
    const found = filtered(this.lines, this.filter, (id) => agentName(this.ctx, id));
    return html`<div class="stack">
      <bb-planned .ctx=${this.ctx}></bb-planned>
      ${this.search()}
      ${feed.error ? alert(t("turns.error", { reason: feed.error }), "error") : nothing}
      ${!feed.isLoaded
        ? feed.error
          ? nothing
          : loading(t("status.loading"))
        : !this.lines.length
          ? html`<div class="card">${empty(t("turns.empty"))}</div>`
          : !found.length
            ? html`<div class="card">
                ${empty(t("turns.no_match"))}
                <p style="text-align:center">
                  <button class="button" type="button" @click=${() => this.set(NO_FILTER)}>
                    ${t("turns.all")}
                  </button>
                </p>
              </div>`
            : html`<p class="small muted" data-test="turns-count">
                  ${t("turns.count", {
                    shown: format.number(Math.min(found.length, this.shown)),
                    all: format.number(this.lines.length),
                  })}
                </p>
                <ol class="card turns" data-test="turns" aria-label=${t("tab.turns")}>
                  ${repeat(
                    found.slice(0, this.shown),
                    (line) => line.id,
                    (line) =>
                      html`<li>${guard([line, this.ctx], () => this.line(line))}</li>`,
                  )}
                </ol>
                ${found.length > this.shown
                  ? html`<p style="text-align:center">
                      <button
                        class="button"
                        type="button"
                        data-test="turns-more"
                        @click=${() => (this.shown += PAGE)}
                      >
                        ${t("turns.more")}
                      </button>
                    </p>`
                  : nothing}`}
    </div>`;
  }

  private search(): TemplateResult {
    const { t, label, assistants } = this.ctx;
    const { filter, lines } = this;
    const agents = occurring(lines, (line) => line.agents);
    const states = occurring(lines, (line) => [line.state]);
    const sources = occurring(lines, (line) => line.sources);
    return html`<search class="card stack" aria-label=${t("turns.search")}>
      <div class="search">
        ${icon("search")}
        <input
          type="search"
          .value=${filter.text}
          placeholder=${t("turns.search")}
          aria-label=${t("turns.search")}
          data-test="turns-search"
          @input=${(event: Event) => this.set({ text: valueOf(event) })}
        />
      </div>
      <div class="filters">
        ${assistants.length > 1
          ? this.choice(
              "assistant",
              t("label.assistant"),
              assistants.map((each) => [each.id, each.title]),
            )
          : nothing}
        ${this.choice("agent", t("label.agent"), agents.map((id) => [id, agentName(this.ctx, id)]))}
        ${this.choice("state", t("label.outcome"), states.map((id) => [id, label("state", id)]))}
        ${this.choice("source", t("label.source"), sources.map((id) => [id, label("source", id)]))}
      </div>
      <div class="row" style="column-gap:24px">
        <span class="check">
          <label class="check">
            <input
              type="checkbox"
              .checked=${filter.only_slow}
              data-test="filter-slow"
              @change=${(event: Event) => this.set({ only_slow: isChecked(event) })}
            />
            ${t("turns.slow")}
          </label>
          <input
            class="seconds"
            type="number"
            min="0"
            max="60"
            step="0.1"
            .value=${String(filter.slow)}
            aria-label=${t("turns.slow_seconds")}
            data-test="filter-slow-seconds"
            @change=${(event: Event) => this.set({ slow: Number(valueOf(event)) || 0 })}
          />
          <span aria-hidden="true">s</span>
        </span>
        <label class="check">
          <input
            type="checkbox"
            .checked=${filter.only_corrected}
            data-test="filter-corrected"
            @change=${(event: Event) => this.set({ only_corrected: isChecked(event) })}
          />
          ${t("turns.corrected")}
        </label>
        ${isActive(filter)
          ? html`<button
              class="button"
              type="button"
              data-test="filter-none"
              @click=${() => this.set({ ...NO_FILTER, slow: filter.slow })}
            >
              ${icon("close", 16)} ${t("turns.all")}
            </button>`
          : nothing}
      </div>
    </search>`;
  }

  private choice(
    name: "assistant" | "agent" | "state" | "source",
    title: string,
    options: readonly (readonly [string, string])[],
  ): TemplateResult {
    const chosen = this.filter[name];
    const known = options.some(([id]) => id === chosen) || !chosen;
    return html`<label class="field">
      <span>${title}</span>
      <select
        data-test="filter-${name}"
        @change=${(event: Event) => this.set({ [name]: valueOf(event) })}
      >
        <option value="" ?selected=${!chosen}>${this.ctx.t("label.all")}</option>
        ${known ? nothing : html`<option value=${chosen} selected>${agentName(this.ctx, chosen)}</option>`}
        ${options.map(
          ([id, text]) => html`<option value=${id} ?selected=${id === chosen}>${text}</option>`,
        )}
      </select>
    </label>`;
  }

  private line(line: Line): TemplateResult {
    const { t, format, label, assistants, address } = this.ctx;
    return html`<a
      href=${address("turns", line.id)}
      data-test="turn"
      data-turn=${line.id}
      @click=${(event: MouseEvent) => this.show(event, line.id)}
    >
      <time class="small muted" datetime=${new Date(line.at * 1000).toISOString()}>
        ${format.time(line.at)}
      </time>
      <span class="words">
        <span class="said">${line.utterance || t("turns.no_words")}</span>
        <span class="reply small muted">${line.reply}</span>
      </span>
      <span class="small">${line.area ?? nothing}</span>
      <span class="agents row small">
        ${agentNames(this.ctx, line.agents)}
        ${assistants.length > 1
          ? html`<span class="muted">${assistantTitle(this.ctx, line.assistant)}</span>`
          : nothing}
      </span>
      <span class="row">
        ${chip(label("state", line.state), toneOfState(line.state))}
        ${line.is_corrected ? chip(t("turns.is_corrected"), "warning") : nothing}
      </span>
      <span class="figures small numeric">
        <span>${format.duration(line.ms)}</span>
        <span class="muted">
          ${line.model_calls
            ? t("turns.model_calls", { count: format.number(line.model_calls) })
            : t("turns.no_model")}
          ${line.cost === null ? nothing : html`· ${money(this.ctx, line.cost)}`}
        </span>
      </span>
    </a>`;
  }

  private show(event: MouseEvent, id: string): void {
    // With a key held down, or another button, the browser opens it elsewhere.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.ctx.memory.scroll = window.scrollY;
    this.ctx.memory.last_turn = id;
    this.ctx.navigate("turns", id);
  }

  private set(changes: Partial<Filter>): void {
    this.filter = { ...this.filter, ...changes };
    this.shown = PAGE;
  }
}
