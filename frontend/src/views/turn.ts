/** One turn: what was said and answered, all that led to it, and what can be done about it. */

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Agent, Line, Reading, Turn } from "../api/models";
import { agentNames, areaName, assistantTitle, money, userName } from "../context";
import { BbElement, Loader } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, loading, toneOfState } from "../elements/parts";
import "../detail/sections";
import "../elements/copy";
import "./correct";
import "./export";

const NO_AGENTS: readonly Agent[] = [];

@customElement("bb-turn")
export class BbTurn extends BbElement {
  @property() turn_id = "";

  @state() private dialog: "correct" | "export" | null = null;

  private readonly turn = new Loader<Turn>(this);
  private readonly reading = new Loader<Reading>(this);
  private readonly agents = new Loader<Agent[]>(this);
  private stopListening: (() => void) | null = null;
  private line: Line | undefined;
  private begun = "";

  static override styles = [
    ...BbElement.styles,
    css`
      .history li {
        max-inline-size: 85%;
        padding: 6px 12px;
        border-radius: 12px;
        background: var(--bb-field);
        inline-size: fit-content;
        overflow-wrap: anywhere;
      }
      .history .user {
        margin-inline-start: auto;
        background: color-mix(in srgb, var(--bb-accent) 18%, transparent);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopListening = this.ctx.feed.listen(() => this.follow());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopListening?.();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("turn_id")) return;
    this.dialog = null;
    this.turn.clear();
    this.reading.clear();
    void this.load();
  }

  /** One begins to read at the sentence. */
  protected override updated(): void {
    const heading = this.renderRoot.querySelector<HTMLElement>("#heading");
    if (!heading || this.begun === this.turn_id) return;
    this.begun = this.turn_id;
    window.scrollTo({ top: 0 });
    heading.focus({ preventScroll: true });
  }

  /** A turn that was corrected is shown as it is now. */
  private follow(): void {
    const line = this.ctx.feed.lines.find((each) => each.id === this.turn_id);
    const was = this.line;
    this.line = line;
    if (was && line && was.is_corrected !== line.is_corrected) void this.load();
    else this.requestUpdate();
  }

  private async load(): Promise<void> {
    const { api, feed } = this.ctx;
    this.line = feed.lines.find((each) => each.id === this.turn_id);
    const turn = await this.turn.load(() => api.turn(this.turn_id));
    if (!turn) return;
    void this.agents.load(() => api.agents(turn.assistant));
    if (!turn.has_words || !turn.utterance || this.reading.data) return;
    const { language, area_id, user_id } = turn.speaker;
    void this.reading.load(() =>
      api.read({ assistant: turn.assistant, text: turn.utterance, language, area_id, user_id }),
    );
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const turn = this.turn.data;
    return html`<div class="stack">
      <p>
        <button
          class="button"
          type="button"
          data-test="back"
          @click=${() => this.ctx.navigate("turns")}
        >
          ${icon("back", 18)} ${t("turn.back")}
        </button>
      </p>
      ${this.turn.error
        ? alert(
            this.turn.error,
            "error",
            html`<button class="button" type="button" @click=${() => this.load()}>
              ${t("action.again")}
            </button>`,
          )
        : nothing}
      ${turn
        ? html`${this.head(turn)}
            <bb-detail
              .ctx=${this.ctx}
              .detail=${turn}
              .ms=${turn.ms}
              .reading=${this.reading.data ?? null}
              .reading_error=${this.reading.error}
              .agents=${this.agents.data ?? NO_AGENTS}
              .has_words=${turn.has_words}
            ></bb-detail>
            ${this.conversation(turn)} ${this.dialogs(turn)}`
        : this.turn.error
          ? nothing
          : loading(t("status.loading"))}
    </div>`;
  }

  private head(turn: Turn): TemplateResult {
    const { t, format, label, assistants } = this.ctx;
    const person = userName(this.ctx, turn.user_id);
    const area = turn.area ?? areaName(this.ctx, turn.speaker.area_id);
    return html`<section class="card stack" data-test="turn-head">
      <div>
        <h2 id="heading" tabindex="-1" data-test="turn-utterance">
          ${turn.utterance || t("turns.no_words")}
        </h2>
        <p class="verbatim" data-test="turn-reply">${turn.reply}</p>
      </div>
      <p class="row">
        ${chip(label("state", turn.state), toneOfState(turn.state), "turn-state")}
        ${turn.sources.map((source) => chip(label("source", source), "info"))}
        ${turn.is_corrected ? chip(t("turns.is_corrected"), "warning", "turn-corrected") : nothing}
      </p>
      <dl class="facts">
        <dt>${t("label.when")}</dt>
        <dd>${format.moment(turn.at)} · ${format.duration(turn.ms)}</dd>
        ${area
          ? html`<dt>${t("label.room")}</dt>
              <dd>${area}</dd>`
          : nothing}
        ${person
          ? html`<dt>${t("label.person")}</dt>
              <dd>${person}</dd>`
          : nothing}
        <dt>${t("label.language")}</dt>
        <dd>${format.languageName(turn.language)}</dd>
        ${assistants.length > 1
          ? html`<dt>${t("label.assistant")}</dt>
              <dd>${assistantTitle(this.ctx, turn.assistant)}</dd>`
          : nothing}
        <dt>${t("label.agents")}</dt>
        <dd>${agentNames(this.ctx, turn.agents) || "–"}</dd>
        ${this.used(turn)}
      </dl>
      ${turn.has_words ? nothing : alert(t("words.hidden"), "info")}
      <div class="row">
        <button
          class="button primary"
          type="button"
          data-test="wrong"
          @click=${() => (this.dialog = "correct")}
        >
          ${icon("edit", 18)} ${t("turn.wrong")}
        </button>
        <button
          class="button"
          type="button"
          data-test="try-again"
          ?disabled=${!turn.has_words}
          @click=${() => this.tryAgain(turn)}
        >
          ${icon("play", 18)} ${t("turn.try")}
        </button>
        <button
          class="button"
          type="button"
          data-test="export"
          @click=${() => (this.dialog = "export")}
        >
          ${icon("download", 18)} ${t("export.title")}
        </button>
      </div>
    </section>`;
  }

  /** What models used for the turn. */
  private used(turn: Turn): TemplateResult | typeof nothing {
    const { t, format } = this.ctx;
    if (!turn.model_calls) return nothing;
    const prompt = format.number(turn.prompt_tokens);
    return html`${turn.tool_rounds
        ? html`<dt>${t("label.tools")}</dt>
            <dd class="wrap" data-test="turn-tools">
              ${turn.tools.join(", ")} ·
              ${t("models.rounds", { count: format.number(turn.tool_rounds) })}
            </dd>`
        : nothing}
      <dt>${t("compare.tokens")}</dt>
      <dd data-test="turn-tokens">${prompt} + ${format.number(turn.completion_tokens)}</dd>
      ${turn.cost === null
        ? nothing
        : html`<dt>${t("label.cost")}</dt>
            <dd data-test="turn-cost">${money(this.ctx, turn.cost)}</dd>`}`;
  }

  private conversation(turn: Turn): TemplateResult {
    const { t, feed, label, address, format } = this.ctx;
    const others = feed.lines
      .filter((each) => each.conversation_id === turn.conversation_id && each.id !== turn.id)
      .reverse();
    return html`<section class="card stack" data-test="section-conversation">
      <h3>${t("conversation.title")}</h3>
      ${turn.task
        ? html`<p class="row">
              <span class="muted">${t("conversation.task")}</span>
              ${chip(label("state", turn.task.state), toneOfState(turn.task.state))}
              <code class="small">${turn.task.id}</code>
            </p>
            <ol class="history stack tight">
              ${turn.task.history.map(
                (message) => html`<li class=${message.role === "user" ? "user" : "other"}>
                  <span class="visually-hidden">
                    ${label("message_role", message.role)}:
                  </span>
                  ${message.content}
                </li>`,
              )}
            </ol>`
        : html`<p class="muted">${t("conversation.none")}</p>`}
      ${others.length
        ? html`<h4>${t("conversation.others")}</h4>
            <ul class="stack tight">
              ${others.map(
                (each) => html`<li>
                  <a
                    href=${address("turns", each.id)}
                    @click=${(event: MouseEvent) => {
                      event.preventDefault();
                      this.ctx.navigate("turns", each.id);
                    }}
                    >${each.utterance}</a
                  >
                  <span class="small muted">${format.time(each.at)}</span>
                </li>`,
              )}
            </ul>`
        : nothing}
    </section>`;
  }

  private dialogs(turn: Turn): TemplateResult {
    const close = () => (this.dialog = null);
    return html`<bb-correct
        .ctx=${this.ctx}
        .turn=${turn}
        .open=${this.dialog === "correct"}
        @closed=${close}
        @corrected=${() => this.load()}
      ></bb-correct>
      <bb-export
        .ctx=${this.ctx}
        .turn=${turn}
        .reading=${this.reading.data ?? null}
        .open=${this.dialog === "export"}
        @closed=${close}
      ></bb-export>`;
  }

  private tryAgain(turn: Turn): void {
    const { language, area_id, user_id } = turn.speaker;
    this.ctx.choose(turn.assistant);
    this.ctx.memory.draft = { text: turn.utterance, language, area_id, user_id };
    this.ctx.navigate("try");
  }
}
