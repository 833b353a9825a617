/** One SVG path of a cover. Colours are CSS colours. */
type CoverForm = { d: string; fill?: string; stroke?: string; strokeWidth?: number; opacity?: number };

export type CoverArt = { sky: readonly [string, string]; forms: readonly CoverForm[] };

export const COVER_WIDTH = 320;
export const COVER_HEIGHT = 200;

type Paint = { deep: string; mid: string; light: string; glow: string };
type Dice = (from: number, to: number) => number;
type Motif = (dice: Dice, paint: Paint) => CoverForm[];

/** The colours are emerald, petrol, violet, berry, copper and brass. */
const HUES = [165, 225, 290, 350, 40, 75];
const MOTIFS: readonly Motif[] = [sunrise, fans, orbits, tiles, arches];

/** Returns a picture for a game, always the same for the same id. */
export function coverArt(gameID: string): CoverArt {
  const seed = hashOf(gameID);
  const dice = diceOf(seed);
  const hue = HUES[seed % HUES.length] ?? 165;
  const motif = MOTIFS[Math.floor(seed / HUES.length) % MOTIFS.length] ?? sunrise;
  const other = hue + dice(30, 60) * (dice(0, 1) < 0.5 ? -1 : 1);
  const paint: Paint = {
    deep: `oklch(0.3 0.09 ${round(hue)})`,
    mid: `oklch(0.48 0.14 ${round(hue)})`,
    light: `oklch(0.68 0.15 ${round(other)})`,
    glow: `oklch(0.87 0.12 ${round(other)})`,
  };
  return { sky: [`oklch(0.22 0.07 ${round(hue)})`, `oklch(0.46 0.13 ${round(other)})`], forms: motif(dice, paint) };
}

function sunrise(dice: Dice, paint: Paint): CoverForm[] {
  const [x, y, radius] = [dice(110, 210), dice(112, 128), dice(38, 52)];
  const rays = range(15).map((index) => {
    const angle = Math.PI + (index * Math.PI) / 14;
    return ray({ x, y, from: radius + 12, to: radius + (index % 2 ? 44 : 78), angle });
  });
  return [
    { d: rays.join(''), stroke: paint.glow, strokeWidth: 2.5, opacity: 0.55 },
    { d: disc(x, y, radius), fill: paint.glow },
    {
      d: hill({ left: dice(120, 140), middle: dice(92, 112), right: dice(118, 140) }),
      fill: paint.light,
      opacity: 0.85,
    },
    { d: hill({ left: dice(140, 162), middle: dice(150, 168), right: dice(112, 132) }), fill: paint.mid },
    { d: hill({ left: dice(172, 184), middle: dice(142, 160), right: dice(170, 186) }), fill: paint.deep },
  ];
}

function fans(dice: Dice, paint: Paint): CoverForm[] {
  const size = dice(44, 58);
  return range(6).flatMap((row) =>
    range(9).flatMap((column) => {
      const x = (column - 1) * size + (row % 2 ? size / 2 : 0);
      const y = 52 + row * size * 0.5;
      const tints = [paint.deep, paint.mid, paint.light];
      const fill = tints[Math.floor(dice(0, 2.99))] ?? paint.mid;
      return [
        { d: halfDisc(x, y, size / 2), fill },
        ...[0.36, 0.24, 0.12].map((part) => ({
          d: halfRing(x, y, size * part),
          stroke: paint.glow,
          strokeWidth: 1.5,
          opacity: 0.6,
        })),
      ];
    }),
  );
}

function orbits(dice: Dice, paint: Paint): CoverForm[] {
  // The picture stays above the title.
  const [x, y] = [dice(120, 200), dice(66, 84)];
  const rings = range(5).map((index) => 44 + index * dice(24, 30));
  return [
    { d: disc(x, y, dice(150, 180)), fill: paint.deep, opacity: 0.7 },
    { d: disc(x, y, dice(84, 100)), fill: paint.mid, opacity: 0.6 },
    { d: rings.map((radius) => disc(x, y, radius)).join(''), stroke: paint.light, strokeWidth: 1.5, opacity: 0.7 },
    { d: disc(x, y, dice(24, 32)), fill: paint.glow },
    ...rings.map((radius, index) => {
      const angle = dice(0, Math.PI * 2);
      const fill = index % 2 ? paint.glow : paint.light;
      return { d: disc(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius, dice(4, 11)), fill };
    }),
  ];
}

function tiles(dice: Dice, paint: Paint): CoverForm[] {
  const size = 64;
  return range(4).flatMap((row) =>
    range(5).flatMap((column) => {
      const [x, y] = [column * size, row * size - 28];
      const ground = { d: `M${x} ${y}h${size}v${size}h${-size}z`, fill: dice(0, 1) < 0.5 ? paint.deep : paint.mid };
      const fill = dice(0, 1) < 0.3 ? paint.glow : paint.light;
      const [cx, cy, half] = [x + size / 2, y + size / 2, size / 2];
      const figures = [
        disc(cx, cy, half * 0.62),
        `M${cx} ${y + 8}L${x + size - 8} ${cy}L${cx} ${y + size - 8}L${x + 8} ${cy}z`,
        `M${x} ${y}h${size}a${size} ${size} 0 0 1 ${-size} ${size}z`,
        `M${x} ${y + size}v${-size}a${size} ${size} 0 0 1 ${size} ${size}z`,
        halfDisc(cx, y + size, half),
      ];
      const d = figures[Math.floor(dice(0, figures.length - 0.01))] ?? '';
      return [ground, { d, fill, opacity: 0.9 }];
    }),
  );
}

function arches(dice: Dice, paint: Paint): CoverForm[] {
  const x = dice(130, 190);
  const tints = [paint.deep, paint.mid, paint.light, paint.mid, paint.deep, paint.glow];
  return tints.map((fill, index) => {
    const half = 150 - index * 24;
    return { d: arch({ x, half, top: 8 + index * 24 }), fill };
  });
}

type Hill = { left: number; middle: number; right: number };

function hill({ left, middle, right }: Hill): string {
  return `M0 ${round(left)}C80 ${round(middle - 30)} 130 ${round(middle)} 190 ${round(middle + 12)}S280 ${round(right - 8)} 320 ${round(right)}V200H0z`;
}

function arch({ x, half, top }: { x: number; half: number; top: number }): string {
  const spring = round(top + half * 0.8);
  return `M${round(x - half)} 200V${spring}a${half} ${round(half * 0.8)} 0 0 1 ${half * 2} 0V200z`;
}

function disc(x: number, y: number, radius: number): string {
  const r = round(radius);
  const across = round(r * 2);
  return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 1 ${across} 0a${r} ${r} 0 1 1 ${-across} 0z`;
}

function halfRing(x: number, y: number, radius: number): string {
  const r = round(radius);
  return `M${round(x - r)} ${round(y)}a${r} ${r} 0 0 1 ${round(r * 2)} 0`;
}

function halfDisc(x: number, y: number, radius: number): string {
  return `${halfRing(x, y, radius)}z`;
}

type Ray = { x: number; y: number; from: number; to: number; angle: number };

function ray({ x, y, from, to, angle }: Ray): string {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return `M${round(x + cos * from)} ${round(y + sin * from)}L${round(x + cos * to)} ${round(y + sin * to)}`;
}

/** Hashes with FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  // The last letter must change all bits, so that similar ids get different pictures.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

/**
 * Makes pseudo-random numbers (mulberry32), the same for the same seed. They are for pictures only.
 */
function diceOf(seed: number): Dice {
  let state = seed;
  return (from, to) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return from + (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (to - from);
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
