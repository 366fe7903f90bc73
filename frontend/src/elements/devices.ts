/** Chooses devices from a list with a search. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";

import type { Device } from "../api/models";
import { folded } from "../turns/filter";
import { BbElement, isChecked, valueOf } from "./base";

/** Devices that are shown at once; the search finds the others. */
const MOST_SHOWN = 60;

@customElement("bb-devices")
export class BbDevices extends BbElement {
  @property({ attribute: false }) devices: readonly Device[] = [];
  @property({ attribute: false }) chosen: readonly string[] = [];
  /** Devices of one domain only: once one is chosen, those of others are not offered. */
  @property({ type: Boolean }) together = false;

  @state() private sought = "";

  static override styles = [
    ...BbElement.styles,
    css`
      .devices {
        max-block-size: 220px;
        overflow: auto;
        border: 1px solid var(--bb-line);
        border-radius: 8px;
        padding: 4px 12px;
        margin-block-start: 8px;
        scrollbar-width: thin;
      }
      .check {
        inline-size: 100%;
        padding-block: 4px;
      }
      .name {
        display: grid;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const words = folded(this.sought).split(/\s+/).filter(Boolean);
    const domain = this.together ? this.chosen[0]?.split(".")[0] : undefined;
    const isChosen = (device: Device) => this.chosen.includes(device.entity_id);
    const found = this.devices.filter((device) => {
      const text = folded(`${device.name} ${device.area ?? ""} ${device.entity_id}`);
      return (
        isChosen(device) ||
        ((!domain || device.entity_id.startsWith(`${domain}.`)) &&
          words.every((word) => text.includes(word)))
      );
    });
    const shown = found.filter((device, index) => index < MOST_SHOWN || isChosen(device));
    return html`<fieldset>
      <legend>${t("devices.title")}</legend>
      <input
        type="search"
        .value=${this.sought}
        placeholder=${t("devices.search")}
        aria-label=${t("devices.search")}
        data-test="devices-search"
        @input=${(event: Event) => (this.sought = valueOf(event))}
      />
      <div class="devices">
        ${repeat(
          shown,
          (device) => device.entity_id,
          (device) => html`<label class="check" data-test="device">
            <input
              type="checkbox"
              value=${device.entity_id}
              .checked=${isChosen(device)}
              @change=${(event: Event) => this.choose(device.entity_id, isChecked(event))}
            />
            <span class="name">
              <span>${device.name}</span>
              <span class="small muted">
                ${device.area ? `${device.area} · ` : nothing}${device.entity_id}
              </span>
            </span>
          </label>`,
        )}
        ${shown.length ? nothing : html`<p class="muted">${t("devices.none")}</p>`}
        ${found.length > shown.length
          ? html`<p class="muted small">
              ${t("devices.more", { count: found.length - shown.length })}
            </p>`
          : nothing}
      </div>
    </fieldset>`;
  }

  private choose(entityId: string, isWanted: boolean): void {
    const others = this.chosen.filter((each) => each !== entityId);
    const detail = isWanted ? [...others, entityId] : others;
    this.dispatchEvent(new CustomEvent<string[]>("chosen", { detail }));
  }
}
