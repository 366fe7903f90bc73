/** The page's icons: strokes on a field of 24 by 24, in the colour of the text around them. */

import { svg, type SVGTemplateResult } from "lit";

const STROKES = {
  alert: "M12 3 22 20H2ZM12 10v4M12 17v.5",
  back: "M20 12H5M11 6l-6 6 6 6",
  check: "M5 13l5 5L20 7",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v12H9ZM5 15V3h11",
  download: "M12 4v11M7 10l5 5 5-5M5 20h14",
  edit: "M4 20l1-4L16 5l3 3L8 19ZM14 7l3 3",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 11v5.5M12 7.5v.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  play: "M7 4l13 8L7 20Z",
  refresh: "M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 4v4.5h-4.5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M15.5 15.5 21 21",
  stop: "M6 6h12v12H6Z",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
} as const;

export type IconName = keyof typeof STROKES;

/** Returns an icon. It says nothing to a screen reader: what it stands for is said beside it. */
export function icon(name: IconName, size = 20): SVGTemplateResult {
  return svg`<svg
    viewBox="0 0 24 24"
    width=${size}
    height=${size}
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    style="flex:none"
  ><path d=${STROKES[name]}></path></svg>`;
}
