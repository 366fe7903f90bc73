/** What is to be done later, by how it is planned, with a button that cancels it. Nothing is shown where nothing is planned. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { Planned } from "../api/models";
import { assistantTitle, userName } from "../context";
import { BbElement, Loader } from "../elements/base";
import { icon } from "../elements/icon";
import { alert } from "../elements/parts";
import { wordsOf } from "../ha";

/** Turns come in batches; what is planned is asked for once after the last of them. */
const AFTER_TURN_MS = 500;
const MOST_MS = 60_000;

const KINDS = ["once", "waiting", "repeating"] as const;

@customElement("bb-planned")
export class BbPlanned extends BbElement {
  @state() private error: string | null = null;

  private readonly planned = new Loader<Planned[]>(this);
  private stopListening: (() => void) | null = null;
  private timer = 0;

  static override styles = [
    ...BbElement.styles,
    css`
      .planned {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
        align-items: center;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = this.ctx.feed.listen(() => this.loadIn(AFTER_TURN_MS));
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
    window.clearTimeout(this.timer);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { t } = this.ctx;
    const found = this.planned.data ?? [];
    const error = this.error ?? this.planned.error;
    if (!found.length && !error) return nothing;
    return html`<section class="card stack" data-test="planned-list">
      <h3>${t("planned.title")}</h3>
      ${error ? alert(error, "error") : nothing}
      ${KINDS.map((kind) =>
        this.group(
          kind,
          found.filter((each) => each.kind === kind),
        ),
      )}
    </section>`;
  }

  private group(kind: Planned["kind"], found: Planned[]): TemplateResult | typeof nothing {
    if (!found.length) return nothing;
    const title = `planned-${kind}`;
    return html`<div class="stack" style="gap:4px" data-test=${title}>
      <h4 id=${title}>${this.ctx.label("planned", kind)}</h4>
      <ul class="list" aria-labelledby=${title}>
        ${found.map((each) => this.item(each))}
      </ul>
    </div>`;
  }

  private item(planned: Planned): TemplateResult {
    const { t, assistants } = this.ctx;
    const what = planned.does || t("label.quoted", { text: planned.text });
    const who = userName(this.ctx, planned.user);
    return html`<li class="planned" data-test="planned">
      <div class="stack" style="gap:4px">
        <b class="wrap">${what}</b>
        <span class="row small muted">
          ${this.when(planned)}
          ${who ? html`<span>${who}</span>` : nothing}
          ${assistants.length > 1
            ? html`<span>${assistantTitle(this.ctx, planned.assistant)}</span>`
            : nothing}
          ${planned.does
            ? html`<span class="wrap">${t("label.quoted", { text: planned.text })}</span>`
            : nothing}
        </span>
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${t("planned.cancel", { what })}
        title=${t("planned.cancel_short")}
        data-test="planned-cancel"
        @click=${() => this.cancel(planned)}
      >
        ${icon("trash")}
      </button>
    </li>`;
  }

  /** When it is done: in words, where these may be seen; of what waits also what is watched, and until when. */
  private when(planned: Planned): TemplateResult {
    const { t, format } = this.ctx;
    const { kind, when, watched } = planned;
    const due = format.time(planned.due);
    return html`${when || kind === "once"
        ? html`<span class="wrap" data-test="planned-when">${when || due}</span>`
        : nothing}
      ${watched.length
        ? html`<span class="wrap">${t("planned.watched", { devices: format.list(watched) })}</span>`
        : nothing}
      ${kind === "waiting" ? html`<span>${t("planned.until", { time: due })}</span>` : nothing}
      ${planned.is_off ? html`<span data-test="planned-off">${t("planned.off")}</span>` : nothing}`;
  }

  private async cancel(planned: Planned): Promise<void> {
    const { t, api, notify } = this.ctx;
    this.error = null;
    try {
      const isCanceled = await api.cancelPlanned(planned.assistant, planned.id);
      notify(t(isCanceled ? "planned.canceled" : "planned.gone"));
    } catch (error) {
      this.error = wordsOf(error);
    }
    await this.load();
  }

  private async load(): Promise<void> {
    const { api, language } = this.ctx;
    const found = await this.planned.load(() => api.planned(language));
    const next = found?.find((each) => each.kind !== "repeating");
    if (found?.length) this.loadIn(next ? Math.min(MOST_MS, (next.seconds_left + 1) * 1000) : MOST_MS);
  }

  private loadIn(ms: number): void {
    window.clearTimeout(this.timer);
    if (this.isConnected) this.timer = window.setTimeout(() => void this.load(), ms);
  }
}
