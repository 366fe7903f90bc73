/** The agents of an assistant: who is there, for whom and when, and how they did. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import type { Agent, ScopeRule } from "../api/models";
import { agentName, areaName, entityName, userName } from "../context";
import { AssistantView, Loader } from "../elements/base";
import { alert, bar, chip, empty, loading } from "../elements/parts";
import "../elements/assistant";

@customElement("bb-agents")
export class BbAgents extends AssistantView {
  private readonly agents = new Loader<Agent[]>(this);

  static override styles = [
    ...AssistantView.styles,
    css`
      .agents {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr));
        gap: 16px;
        align-items: start;
      }
      .agents h3 {
        margin: 0;
      }
      .success-bar {
        --tone: var(--bb-success);
      }
      .rules li {
        border-inline-start: 3px solid var(--bb-line);
        padding-inline-start: 8px;
      }
    `,
  ];

  protected override prepare(): void {
    const { api, assistant } = this.ctx;
    this.agents.clear();
    void this.agents.load(() => api.agents(assistant.id));
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const found = this.agents.data;
    return html`<div class="stack">
      <bb-assistant .ctx=${this.ctx}></bb-assistant>
      ${this.agents.error ? alert(this.agents.error, "error") : nothing}
      ${found
        ? found.length
          ? html`<ul class="agents">
              ${found.map((agent) => this.agent(agent))}
            </ul>`
          : html`<div class="card">${empty(t("agents.empty"))}</div>`
        : this.agents.error
          ? nothing
          : loading(t("status.loading"))}
    </div>`;
  }

  private agent(agent: Agent): TemplateResult {
    const { t, format, label } = this.ctx;
    return html`<li class="card stack tight" data-test="agent">
      <div class="row spread">
        <h3>${agentName(this.ctx, agent.id)}</h3>
        ${chip(
          t(agent.is_there ? "agents.there" : "agents.away"),
          agent.is_there ? "success" : "neutral",
        )}
      </div>
      <p>${agent.description}</p>
      <p class="row small">
        <code>${agent.id}</code>
        ${agent.is_own ? chip(t("agents.own"), "info") : nothing}
        ${agent.is_routed ? nothing : chip(t("agents.not_routed"))}
      </p>
      <dl class="facts">
        ${agent.domains.length
          ? html`<dt>${t("label.devices")}</dt>
              <dd>${format.number(agent.devices)} · <code>${agent.domains.join(", ")}</code></dd>`
          : nothing}
        ${agent.areas.length
          ? html`<dt>${t("agents.only_in")}</dt>
              <dd>${agent.areas.map((id) => areaName(this.ctx, id)).join(", ")}</dd>`
          : nothing}
        ${agent.labels.length
          ? html`<dt>${t("agents.only_labelled")}</dt>
              <dd>${agent.labels.join(", ")}</dd>`
          : nothing}
        <dt>${t("agents.decisions")}</dt>
        <dd>${format.number(agent.decisions)}</dd>
        ${agent.worked[1]
          ? html`<dt>${t("agents.success")}</dt>
              <dd>
                ${t("agents.worked", {
                  worked: format.number(agent.worked[0]),
                  count: format.number(agent.worked[1]),
                })}
                <div class="success-bar">${bar(agent.worked[0] / agent.worked[1])}</div>
              </dd>`
          : nothing}
      </dl>
      ${agent.examples.length
        ? html`<details>
            <summary>${t("agents.examples")}</summary>
            <ul>
              ${agent.examples.map((example) => html`<li>${this.ctx.t("label.quoted", { text: example })}</li>`)}
            </ul>
          </details>`
        : nothing}
      ${agent.rules.length
        ? html`<h4>${t("agents.rules")}</h4>
            <ul class="rules stack tight">
              ${agent.rules.map((rule) => html`<li>${this.rule(rule, label)}</li>`)}
            </ul>`
        : nothing}
    </li>`;
  }

  private rule(rule: ScopeRule, label: (group: string, id: string) => string): TemplateResult {
    const { t, format } = this.ctx;
    const found: [string, string][] = [];
    const add = (name: string, values: readonly (string | null)[] | undefined) => {
      if (values?.length) found.push([label("scope", name), values.join(", ")]);
    };
    add("intents", rule.intents);
    add("areas", rule.areas?.map((id) => areaName(this.ctx, id)));
    add("satellites", rule.satellites?.map((id) => entityName(this.ctx, id)));
    add("users", rule.users?.map((id) => userName(this.ctx, id)));
    if (rule.after || rule.before) {
      found.push([label("scope", "time"), `${rule.after || "00:00"} – ${rule.before || "24:00"}`]);
    }
    if (rule.share !== undefined) {
      found.push([label("scope", "share"), format.percent(rule.share / 100)]);
    }
    return found.length
      ? html`${found.map(
          ([name, text]) => html`<div><span class="muted">${name}:</span> ${text}</div>`,
        )}`
      : html`${t("agents.always")}`;
  }
}
