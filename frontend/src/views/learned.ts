/** What was learnt: decisions, and the habits of rooms. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { Habit, Lesson } from "../api/models";
import { agentName, areaName, assistantTitle, entityName } from "../context";
import { BbElement, Loader } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, empty, loading } from "../elements/parts";
import { wordsOf } from "../ha";
import "../elements/dialog";

@customElement("bb-learned")
export class BbLearned extends BbElement {
  @state() private error: string | null = null;
  @state() private asking: "learned" | "habits" | null = null;

  private readonly lessons = new Loader<Lesson[]>(this);
  private readonly habits = new Loader<Habit[]>(this);

  static override styles = [
    ...BbElement.styles,
    css`
      .lesson {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 4px 12px;
        align-items: start;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.load();
  }

  private load(): void {
    void this.lessons.load(() => this.ctx.api.learned());
    if (this.hasHabits()) void this.habits.load(() => this.ctx.api.habits());
  }

  private hasHabits(): boolean {
    return "habits" in (this.ctx.hass().services?.["bellboard"] ?? {});
  }

  protected override render(): TemplateResult {
    return html`<div class="stack">
      ${this.error ? alert(this.error, "error") : nothing} ${this.decisions()}
      ${this.hasHabits() ? this.rooms() : nothing} ${this.confirmation()}
    </div>`;
  }

  private decisions(): TemplateResult {
    const { t } = this.ctx;
    const found = this.lessons.data;
    return html`<section class="card stack" data-test="learned">
      <div class="row spread">
        <h3>${t("learned.title")}</h3>
        ${found?.length
          ? html`<button
              class="button danger"
              type="button"
              data-test="forget-all"
              @click=${() => (this.asking = "learned")}
            >
              ${icon("trash", 18)} ${t("learned.forget_all")}
            </button>`
          : nothing}
      </div>
      <p class="small muted">${t("learned.about")}</p>
      ${this.lessons.error ? alert(this.lessons.error, "error") : nothing}
      ${found
        ? found.length
          ? html`<ul class="list">
              ${found.map((lesson) => this.lesson(lesson))}
            </ul>`
          : empty(t("learned.empty"))
        : this.lessons.error
          ? nothing
          : loading(t("status.loading"))}
    </section>`;
  }

  private lesson(lesson: Lesson): TemplateResult {
    const { t, label, format, assistants } = this.ctx;
    const devices = lesson.targets.map((id) => entityName(this.ctx, id));
    return html`<li class="lesson" data-test="lesson">
      <div class="stack" style="gap:4px">
        <b class="wrap">${this.ctx.t("label.quoted", { text: lesson.sentence })}</b>
        <span>
          ${agentName(this.ctx, lesson.agent)}:
          ${lesson.actions.map(
            (action, index) => html`${index ? ", " : nothing}${label("do", action.name)}
              ${Object.entries(action.parameters).map(
                ([name, value]) => html`<span class="small muted">
                  ${label("parameter", name)}: ${format.value(value)}
                </span>`,
              )}`,
          )}
          ${devices.length ? html`– ${format.list(devices)}` : nothing}
        </span>
        <span class="row small">
          ${chip(
            t(lesson.in_use ? "learned.in_use" : "learned.not_yet"),
            lesson.in_use ? "success" : "neutral",
          )}
          ${chip(
            t("learned.origin", { origin: label("origin", lesson.decided_by) }),
            "info",
          )}
          <span class="muted">
            ${t("learned.used", { count: format.number(lesson.used) })}
            ${lesson.used_at ? `· ${format.moment(lesson.used_at)}` : nothing}
          </span>
          <span class="muted">
            ${lesson.area ? areaName(this.ctx, lesson.area) : nothing}
            ${assistants.length > 1 ? assistantTitle(this.ctx, lesson.assistant) : nothing}
          </span>
        </span>
      </div>
      <button
        class="icon-button"
        type="button"
        aria-label=${t("learned.forget", { sentence: lesson.sentence })}
        title=${t("learned.forget_short")}
        data-test="forget"
        @click=${() =>
          this.act(
            () => this.ctx.api.forgetLearned(lesson.assistant, lesson.sentence),
            t("learned.forgotten"),
          )}
      >
        ${icon("trash")}
      </button>
    </li>`;
  }

  private rooms(): TemplateResult {
    const { t, label, format } = this.ctx;
    const found = this.habits.data;
    return html`<section class="card stack" data-test="habits">
      <div class="row spread">
        <h3>${t("habits.title")}</h3>
        ${found?.length
          ? html`<button
              class="button danger"
              type="button"
              data-test="clear-habits"
              @click=${() => (this.asking = "habits")}
            >
              ${icon("trash", 18)} ${t("habits.clear")}
            </button>`
          : nothing}
      </div>
      <p class="small muted">${t("habits.about")}</p>
      ${this.habits.error ? alert(this.habits.error, "error") : nothing}
      ${found
        ? found.length
          ? html`<ul class="list">
              ${found.map(
                (habit) => html`<li class="row" data-test="habit">
                  <b>${areaName(this.ctx, habit.area) ?? t("habits.anywhere")}</b>
                  <span>
                    ${label("habit", habit.kind)}:
                    ${habit.entity_id
                      ? entityName(this.ctx, habit.entity_id)
                      : format.percent((habit.percent ?? 0) / 100)}
                  </span>
                  ${habit.part_of_day
                    ? chip(label("part_of_day", habit.part_of_day), "info")
                    : nothing}
                  <span class="small muted">${format.moment(habit.used_at)}</span>
                </li>`,
              )}
            </ul>`
          : empty(t("habits.empty"))
        : this.habits.error
          ? nothing
          : loading(t("status.loading"))}
    </section>`;
  }

  private confirmation(): TemplateResult {
    const { t } = this.ctx;
    const isHabits = this.asking === "habits";
    return html`<bb-dialog
      small
      .open=${this.asking !== null}
      .heading=${t(isHabits ? "habits.clear" : "learned.forget_all")}
      .closing=${t("action.close")}
      data-test="forget-dialog"
      @closed=${() => (this.asking = null)}
    >
      <p>${t(isHabits ? "habits.sure" : "learned.sure")}</p>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="forget-no"
        @click=${() => (this.asking = null)}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button danger"
        type="button"
        data-test="forget-yes"
        @click=${() => {
          this.asking = null;
          const { api } = this.ctx;
          void this.act(
            () => (isHabits ? api.clearHabits() : api.forgetLearned()),
            t("learned.forgotten"),
          );
        }}
      >
        ${t("learned.yes")}
      </button>
    </bb-dialog>`;
  }

  private async act(what: () => Promise<unknown>, told: string): Promise<void> {
    this.error = null;
    try {
      await what();
      this.ctx.notify(told);
    } catch (error) {
      this.error = wordsOf(error);
    }
    this.load();
  }
}
