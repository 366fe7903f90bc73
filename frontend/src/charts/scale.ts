/** Arithmetic of charts. */

/** Returns the next round number (1, 2 or 5 times a power of ten) that is not below a value. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

export interface Point {
  x: number;
  y: number;
}

/** Returns points (time, value) in a field of a width and a height, the latest at the right, zero at the bottom. */
export function place(
  values: readonly (readonly [number, number])[],
  width: number,
  height: number,
): { points: Point[]; top: number } {
  const top = roundUp(Math.max(0, ...values.map(([, value]) => value)));
  const times = values.map(([time]) => time);
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const points = values.map(([time, value]) => ({
    x: span ? ((time - first) / span) * width : width / 2,
    y: height - (value / top) * height,
  }));
  return { points, top };
}

/** Returns the values by name as shares of the largest, most first. */
export function shares(values: Record<string, number>): { name: string; value: number; share: number }[] {
  const most = Math.max(1, ...Object.values(values));
  return Object.entries(values)
    .map(([name, value]) => ({ name, value, share: value / most }))
    .sort((one, other) => other.value - one.value || one.name.localeCompare(other.name));
}
