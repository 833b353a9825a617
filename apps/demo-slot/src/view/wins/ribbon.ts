/** The points of a ribbon. The number is constant, so one set of buffers fits every line. */
export const RIBBON_SAMPLES = 72;
const CORNER = 0.32;

/**
 * Makes the mesh of a ribbon: two vertices per sample. `uvs` go from 0 to 1 along the ribbon, and
 * from 0 to 1 across it.
 */
export type RibbonBuffers = {
  readonly positions: Float32Array;
  readonly uvs: Float32Array;
  readonly indices: Uint32Array;
};

export function createRibbonBuffers(): RibbonBuffers {
  const indices = new Uint32Array((RIBBON_SAMPLES - 1) * 6);
  for (let sample = 0; sample < RIBBON_SAMPLES - 1; sample++) {
    const vertex = sample * 2;
    indices.set([vertex, vertex + 1, vertex + 2, vertex + 1, vertex + 3, vertex + 2], sample * 6);
  }
  return {
    positions: new Float32Array(RIBBON_SAMPLES * 4),
    uvs: new Float32Array(RIBBON_SAMPLES * 4),
    indices,
  };
}

/**
 * Fills the buffers with a band along the way through `xs`, `ys`: straight between the points,
 * round at them. Returns the length of the way.
 */
export function fillRibbon(
  buffers: RibbonBuffers,
  way: { readonly xs: readonly number[]; readonly ys: readonly number[]; readonly halfWidth: number },
): number {
  const path = sampleWay(way.xs, way.ys);
  let length = 0;
  for (let sample = 0; sample < RIBBON_SAMPLES; sample++) {
    const before = Math.max(0, sample - 1);
    const after = Math.min(RIBBON_SAMPLES - 1, sample + 1);
    const x = path.xs[sample] ?? 0;
    const y = path.ys[sample] ?? 0;
    const tangentX = (path.xs[after] ?? 0) - (path.xs[before] ?? 0);
    const tangentY = (path.ys[after] ?? 0) - (path.ys[before] ?? 0);
    const size = Math.hypot(tangentX, tangentY) || 1;
    const normalX = (-tangentY / size) * way.halfWidth;
    const normalY = (tangentX / size) * way.halfWidth;
    if (sample > 0) length += Math.hypot(x - (path.xs[sample - 1] ?? 0), y - (path.ys[sample - 1] ?? 0));
    const part = sample / (RIBBON_SAMPLES - 1);
    buffers.positions.set([x + normalX, y + normalY, x - normalX, y - normalY], sample * 4);
    buffers.uvs.set([part, 0, part, 1], sample * 4);
  }
  return length;
}

function sampleWay(xs: readonly number[], ys: readonly number[]): { xs: number[]; ys: number[] } {
  const segments = xs.length - 1;
  const sampledX: number[] = [];
  const sampledY: number[] = [];
  for (let sample = 0; sample < RIBBON_SAMPLES; sample++) {
    const at = (sample / (RIBBON_SAMPLES - 1)) * segments;
    sampledX.push(rounded(xs, at));
    sampledY.push(rounded(ys, at));
  }
  return { xs: sampledX, ys: sampledY };
}

/**
 * Returns the value at a place between the points; near a point a quadratic curve takes the corner.
 */
function rounded(values: readonly number[], at: number): number {
  const nearest = Math.round(at);
  const fromCorner = at - nearest;
  const inside = nearest > 0 && nearest < values.length - 1;
  if (!inside || Math.abs(fromCorner) >= CORNER) return linear(values, at);
  const start = linear(values, nearest - CORNER);
  const corner = values[nearest] ?? 0;
  const end = linear(values, nearest + CORNER);
  const part = (fromCorner + CORNER) / (2 * CORNER);
  return start * (1 - part) ** 2 + corner * 2 * part * (1 - part) + end * part ** 2;
}

function linear(values: readonly number[], at: number): number {
  const from = Math.min(Math.max(0, Math.floor(at)), Math.max(0, values.length - 2));
  const first = values[from] ?? 0;
  const second = values[from + 1] ?? first;
  return first + (second - first) * (at - from);
}
