/** The times that a model took, over time: a small chart that is drawn as SVG. */

import { css, html, nothing, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { BbElement } from "../elements/base";
import { place } from "./scale";

const WIDTH = 320;
const HEIGHT = 80;

@customElement("bb-latency")
export class BbLatency extends BbElement {
  /** Pairs of seconds since 1970 and milliseconds, the oldest first. */
  @property({ attribute: false }) values: readonly (readonly [number, number])[] = [];
  @property() name = "";

  static override styles = [
    ...BbElement.styles,
    css`
      svg {
        display: block;
        inline-size: 100%;
        block-size: 80px;
        overflow: visible;
      }
      .line {
        fill: none;
        stroke: var(--bb-accent);
        stroke-width: 1.5;
        stroke-linejoin: round;
        vector-effect: non-scaling-stroke;
      }
      .dot {
        stroke: var(--bb-accent);
        stroke-width: 5;
        stroke-linecap: round;
        vector-effect: non-scaling-stroke;
      }
      .grid {
        stroke: var(--bb-line);
        vector-effect: non-scaling-stroke;
      }
      .axis {
        display: flex;
        justify-content: space-between;
        gap: 8px;
      }
    `,
  ];

  protected override render(): TemplateResult | typeof nothing {
    const { t, format } = this.ctx;
    const { values } = this;
    const first = values[0];
    const last = values.at(-1);
    if (!first || !last) return html`<p class="small muted">${t("health.no_times")}</p>`;
    const { points, top } = place(values, WIDTH, HEIGHT);
    const text = t("health.chart", {
      model: this.name,
      count: format.number(values.length),
      top: format.duration(Math.max(...values.map(([, ms]) => ms))),
    });
    const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    return html`<div class="small muted">${format.duration(top)}</div>
      <svg
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${text}
        data-test="chart"
      >
        ${[0, 0.5, 1].map(
          (share) =>
            svg`<line class="grid" x1="0" x2=${WIDTH} y1=${share * HEIGHT} y2=${share * HEIGHT}></line>`,
        )}
        <polyline class="line" points=${path}></polyline>
        ${points.length <= 40
          ? points.map(
              ({ x, y }) =>
                svg`<line class="dot" x1=${x} x2=${x} y1=${y} y2=${y}></line>`,
            )
          : nothing}
      </svg>
      <div class="axis small muted numeric">
        <span>${format.time(first[0])}</span><span>${format.time(last[0])}</span>
      </div>`;
  }
}
