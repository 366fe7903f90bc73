/** Looks that all parts of the page share, in Home Assistant's colours. */

import { css } from "lit";

/** Names for Home Assistant's colours, with what they are where a theme has none. Set once, on the page itself. */
export const theme = css`
  :host {
    --bb-card: var(--ha-card-background, var(--card-background-color, #fff));
    --bb-page: var(--primary-background-color, #fafafa);
    --bb-text: var(--primary-text-color, #141414);
    --bb-muted: var(--secondary-text-color, #5e5e5e);
    --bb-line: var(--divider-color, #0000001f);
    --bb-accent: var(--primary-color, #009ac7);
    --bb-error: var(--error-color, #db4437);
    --bb-warning: var(--warning-color, #ffa600);
    --bb-success: var(--success-color, #43a047);
    --bb-info: var(--info-color, #039be5);
    --bb-neutral: var(--disabled-text-color, #808080);
    --bb-field: var(--input-fill-color, var(--secondary-background-color, #f5f5f5));
    --bb-radius: var(--ha-card-border-radius, 12px);
    --bb-code: var(--ha-font-family-code, var(--code-font-family, monospace));
    color: var(--bb-text);
    font-family: var(--ha-font-family-body, var(--mdc-typography-font-family, Roboto, Noto, sans-serif));
    font-size: var(--ha-font-size-m, 14px);
    line-height: 1.5;
    -webkit-font-smoothing: var(--ha-font-smoothing, antialiased);
  }
`;

export const shared = css`
  :host {
    display: block;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: var(--ha-font-size-xl, 20px);
    font-weight: 500;
    line-height: 1.3;
    overflow-wrap: anywhere;
  }
  h3 {
    font-size: var(--ha-font-size-l, 16px);
    font-weight: 500;
    line-height: 1.4;
  }
  h4 {
    font-size: var(--ha-font-size-m, 14px);
    font-weight: 500;
  }
  a {
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--bb-accent);
    outline-offset: 2px;
    border-radius: 4px;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .muted {
    color: var(--bb-muted);
  }
  .small {
    font-size: var(--ha-font-size-s, 12px);
  }
  .stack {
    display: grid;
    gap: 16px;
    grid-template-columns: minmax(0, 1fr);
  }
  .tight {
    gap: 8px;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  .spread {
    justify-content: space-between;
  }
  .numeric {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .wrap {
    overflow-wrap: anywhere;
  }
  .verbatim {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .card {
    background: var(--bb-card);
    border: 1px solid var(--ha-card-border-color, var(--bb-line));
    border-radius: var(--bb-radius);
    padding: 16px;
    min-inline-size: 0;
  }
  .card > h3:first-child {
    margin-block-end: 8px;
  }
  .empty {
    text-align: center;
    padding: 32px 16px;
    color: var(--bb-muted);
  }

  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-block-size: 40px;
    padding: 4px 16px;
    border: 1px solid var(--bb-line);
    border-radius: 20px;
    background: none;
    color: var(--bb-text);
    font-weight: 500;
    text-decoration: none;
  }
  .button:hover {
    background: color-mix(in srgb, var(--bb-text) 6%, transparent);
  }
  .button.primary {
    border-color: var(--bb-accent);
    background: color-mix(in srgb, var(--bb-accent) 20%, transparent);
  }
  .button.primary:hover {
    background: color-mix(in srgb, var(--bb-accent) 30%, transparent);
  }
  .button.danger {
    border-color: var(--bb-error);
    background: color-mix(in srgb, var(--bb-error) 14%, transparent);
  }
  .button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .icon-button {
    display: inline-grid;
    place-items: center;
    inline-size: 40px;
    block-size: 40px;
    border: 0;
    border-radius: 50%;
    background: none;
    padding: 0;
  }
  .icon-button:hover {
    background: color-mix(in srgb, currentColor 10%, transparent);
  }
  .icon-button:focus-visible,
  .button:focus-visible {
    border-radius: 20px;
  }

  .field {
    display: grid;
    gap: 4px;
    min-inline-size: 0;
  }
  .field > span,
  legend {
    font-size: var(--ha-font-size-s, 12px);
    color: var(--bb-muted);
    padding: 0;
  }
  fieldset {
    border: 0;
    padding: 0;
    margin: 0;
    min-inline-size: 0;
  }
  input:not([type="checkbox"], [type="radio"], [type="range"]),
  select,
  textarea {
    font: inherit;
    color: var(--bb-text);
    background: var(--bb-field);
    border: 1px solid transparent;
    border-block-end: 1px solid var(--bb-muted);
    border-radius: 8px 8px 0 0;
    min-block-size: 40px;
    padding: 8px 12px;
    inline-size: 100%;
    min-inline-size: 0;
  }
  input::placeholder,
  textarea::placeholder {
    color: var(--bb-muted);
    opacity: 1;
  }
  option {
    color: var(--bb-text);
    background: var(--bb-card);
  }
  textarea {
    min-block-size: 96px;
    resize: vertical;
  }
  input[type="checkbox"],
  input[type="radio"] {
    accent-color: var(--bb-accent);
    inline-size: 18px;
    block-size: 18px;
    margin: 0;
    flex: none;
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-block-size: 32px;
  }
  .code,
  pre {
    font-family: var(--bb-code);
    font-size: var(--ha-font-size-s, 12px);
  }
  pre {
    margin: 0;
    padding: 12px;
    border-radius: 8px;
    background: var(--bb-field);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    max-block-size: 480px;
    overflow: auto;
    scrollbar-width: thin;
    scrollbar-color: var(--scrollbar-thumb-color, var(--bb-muted)) transparent;
  }
  code {
    font-family: var(--bb-code);
    font-size: 0.92em;
    overflow-wrap: anywhere;
  }

  .chip {
    --tone: var(--bb-neutral);
    display: inline-flex;
    align-items: center;
    gap: 4px;
    max-inline-size: 100%;
    padding: 1px 8px;
    border-radius: 12px;
    font-size: var(--ha-font-size-s, 12px);
    line-height: 20px;
    color: var(--bb-text);
    background: color-mix(in srgb, var(--tone) 20%, transparent);
    overflow-wrap: anywhere;
  }
  .success {
    --tone: var(--bb-success);
  }
  .warning {
    --tone: var(--bb-warning);
  }
  .error {
    --tone: var(--bb-error);
  }
  .info {
    --tone: var(--bb-info);
  }
  .alert {
    --tone: var(--bb-info);
    display: flex;
    gap: 12px;
    align-items: flex-start;
    padding: 12px 16px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--tone) 14%, var(--bb-card));
    overflow-wrap: anywhere;
  }
  .alert.error {
    --tone: var(--bb-error);
  }
  .alert.warning {
    --tone: var(--bb-warning);
  }
  .alert.success {
    --tone: var(--bb-success);
  }
  .alert > .body {
    flex: 1;
    min-inline-size: 0;
    align-self: center;
  }
  .alert > svg {
    color: var(--tone);
  }

  .bar {
    position: relative;
    block-size: 10px;
    border-radius: 5px;
    background: color-mix(in srgb, var(--bb-text) 10%, transparent);
  }
  .bar > .fill {
    block-size: 100%;
    border-radius: 5px;
    background: var(--tone, var(--bb-accent));
  }
  .bar > .line {
    position: absolute;
    inset-block: -4px;
    inline-size: 2px;
    background: var(--bb-text);
  }

  table {
    border-collapse: collapse;
    inline-size: 100%;
  }
  th,
  td {
    text-align: start;
    vertical-align: top;
    padding: 6px 12px 6px 0;
    border-block-end: 1px solid var(--bb-line);
    overflow-wrap: anywhere;
  }
  th {
    font-weight: 500;
    color: var(--bb-muted);
    font-size: var(--ha-font-size-s, 12px);
  }
  th[scope="row"] {
    color: inherit;
    font-size: inherit;
  }
  tr:last-child > td,
  tr:last-child > th[scope="row"] {
    border-block-end: 0;
  }
  .scroll {
    overflow-x: auto;
    scrollbar-width: thin;
  }
  .scroll > table {
    min-inline-size: 460px;
  }
  dl.facts {
    display: grid;
    grid-template-columns: fit-content(40%) minmax(0, 1fr);
    gap: 4px 16px;
  }
  dl.facts > dt {
    color: var(--bb-muted);
  }
  dl.facts > dd {
    overflow-wrap: anywhere;
  }
  details > summary {
    cursor: pointer;
    min-block-size: 32px;
    align-content: center;
  }
  details[open] > summary {
    margin-block-end: 8px;
  }
  .list > li + li {
    border-block-start: 1px solid var(--bb-line);
    margin-block-start: 12px;
    padding-block-start: 12px;
  }
  mark {
    color: inherit;
    background: color-mix(in srgb, var(--bb-success) 28%, transparent);
    border-radius: 3px;
  }
  del {
    background: color-mix(in srgb, var(--bb-error) 22%, transparent);
    border-radius: 3px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .button,
    .icon-button {
      transition: background-color 120ms;
    }
  }
`;
