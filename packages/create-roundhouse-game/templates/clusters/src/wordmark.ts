/** Digits are equally wide, so that an amount that counts up stays where it is. */
const DIGIT = 50;

/** Each letter is 100 units high. It has its width, then the path of its strokes. */
const LETTERS: Record<string, readonly [width: number, path: string]> = {
  A: [58, 'M0 100C8 64 17 32 29 0C41 32 50 64 58 100M12 66H46'],
  B: [48, 'M0 50H24C56 50 56 100 24 100H0V0H22C50 0 50 50 22 50'],
  C: [54, 'M52 18C40-6 0-4 0 50S40 106 54 82'],
  D: [54, 'M0 0V100H16C66 100 66 0 16 0Z'],
  E: [42, 'M42 0H0V100H42M0 50H34'],
  F: [42, 'M42 0H0V100M0 50H34'],
  G: [56, 'M52 18C40-6 0-4 0 50S56 112 56 56H34'],
  H: [52, 'M0 0V100M52 0V100M0 50H52'],
  I: [8, 'M4 0V100'],
  J: [40, 'M40 0V70C40 110 0 108 0 76'],
  K: [48, 'M0 0V100M46 0 2 54M17 42 48 100'],
  L: [42, 'M0 0V100H42'],
  M: [72, 'M0 100 6 0 36 60 66 0 72 100'],
  N: [54, 'M0 100V0L54 100V0'],
  O: [68, 'M34 0C-11 0-11 100 34 100S79 0 34 0Z'],
  P: [46, 'M0 100V0H22C56 0 56 56 22 56H0'],
  Q: [68, 'M34 0C-11 0-11 100 34 100S79 0 34 0ZM42 76 68 102'],
  R: [50, 'M0 100V0H22C56 0 56 54 22 54H0M24 54 50 100'],
  S: [48, 'M46 16C36-8 0-4 2 24C4 54 48 44 48 76C48 106 8 108 0 82'],
  T: [56, 'M0 0H56M28 0V100'],
  U: [54, 'M0 0V64C0 112 54 112 54 64V0'],
  V: [60, 'M0 0 30 100 60 0'],
  W: [84, 'M0 0 21 100 42 30 63 100 84 0'],
  X: [54, 'M0 0 54 100M54 0 0 100'],
  Y: [56, 'M0 0 28 52 56 0M28 52V100'],
  Z: [50, 'M0 0H50L0 100H50'],
  '!': [16, 'M10 0V60M10 100V101'],
  ' ': [22, ''],
  0: [DIGIT, 'M25 0C-8 0-8 100 25 100S58 0 25 0Z'],
  1: [DIGIT, 'M12 18 32 0V100'],
  2: [DIGIT, 'M2 24C4-8 46-8 46 26C46 52 8 70 2 100H48'],
  3: [DIGIT, 'M4 10C20-6 44 0 44 24S24 48 18 48C28 48 46 52 46 74C46 106 10 104 0 86'],
  4: [DIGIT, 'M37 100V0L0 68H50'],
  5: [DIGIT, 'M44 0H8L4 46C16 34 46 36 46 68C46 104 12 106 0 88'],
  6: [DIGIT, 'M38 2C12 14 2 44 2 68C2 110 48 110 48 70C48 38 8 38 4 64'],
  7: [DIGIT, 'M0 0H48L18 100'],
  8: [DIGIT, 'M25 47C-4 44-2 0 25 0S54 44 25 47C-8 50-8 100 25 100S58 50 25 47Z'],
  9: [DIGIT, 'M12 98C38 86 48 56 48 32C48-10 2-10 2 30C2 62 42 62 46 36'],
  '.': [8, 'M4 99V100'],
  ',': [8, 'M5 99 0 118'],
  $: [48, 'M46 18C36-2 0 2 2 26C4 52 44 46 48 74C48 102 8 104 0 82M24-10V110'],
  '€': [56, 'M56 18C42-6 8 0 8 50S42 106 56 82M0 38H36M0 62H36'],
  '¥': [56, 'M0 0 28 46 56 0M28 46V100M4 58H52M4 78H52'],
  '₹': [46, 'M0 0H46M0 28H46M0 0C44 0 44 56 0 56L38 100'],
  '£': [50, 'M46 18C38-8 14-4 14 24V78C14 92 8 98 0 100H50M0 54H34'],
};
const BETWEEN_LETTERS = 32;
const LINE = 150;
const MARGIN = 34;

/** From the top to the bottom of the letters; `side` is in their shade. */
type Paint = { stops: readonly string[]; side: string };
const CORAL: Paint = { stops: ['#ffc48a', '#ff6b6b', '#ff2f7d', '#c4106a'], side: '#7a0636' };
const GOLD: Paint = { stops: ['#fff6c8', '#ffd84f', '#ffb21f', '#e07c0c'], side: '#7a3a06' };

/** From the back to the front: each layer draws all letters again, moved by `x` and `y`. */
const LAYERS = [
  { width: 46, color: '#03102a', x: 0, y: 8 },
  { width: 46, color: '#03102a', x: 0, y: 0 },
  { width: 32, color: 'side', x: 0, y: 9 },
  { width: 32, color: '#ffe9c4', x: 0, y: 0 },
  { width: 25, color: 'paint', x: 0, y: 0 },
  { width: 4, color: '#ffe3ee', x: 4, y: 4, dashes: '0 11' },
  { width: 5, color: '#ffffffd9', x: -5, y: -5 },
];

/** A gradient of a hidden drawing draws nothing, so that each drawing needs its own. */
let drawings = 0;

/** Draws lines of text as branches of coral. Returns undefined if it lacks a letter. */
function wordmark(lines: readonly string[], paint: Paint): string | undefined {
  const rows = lines.map((line) => [...line.toUpperCase().replace(/\s/g, ' ')].map((letter) => LETTERS[letter]));
  const widths = rows.map((row) => row.reduce((sum, letter) => sum + (letter?.[0] ?? 0) + BETWEEN_LETTERS, 0));
  if (rows.flat().includes(undefined)) return undefined;
  drawings += 1;
  const id = `coral${drawings}`;
  const width = Math.max(...widths) - BETWEEN_LETTERS;
  const drawn = rows.map((row, line) => {
    let x = (width - (widths[line] ?? 0) + BETWEEN_LETTERS) / 2;
    const placed = row.map((letter) => {
      const [wide, path] = letter as [number, string];
      const moved = `<path transform="translate(${x})" d="${path}" />`;
      x += wide + BETWEEN_LETTERS;
      return moved;
    });
    const layers = LAYERS.map((layer) => layerOf(placed.join(''), layer, { id, side: paint.side }));
    return `<g transform="translate(0 ${line * LINE})">${layers.join('')}</g>`;
  });
  const height = (rows.length - 1) * LINE + 100;
  const stops = paint.stops.map((color, place) => `<stop offset="${place / 3}" stop-color="${color}" />`);
  const box = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  return `<svg viewBox="${box}" aria-hidden="true">
    <linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" y1="-12" x2="0" y2="112">${stops.join('')}</linearGradient>
    ${drawn.join('')}${paint === CORAL ? bubbles(width, height) : ''}</svg>`;
}

function layerOf(letters: string, layer: (typeof LAYERS)[number], { id, side }: { id: string; side: string }): string {
  const { width, color, x, y, dashes } = layer;
  const stroke = color === 'paint' ? `url(#${id})` : color === 'side' ? side : color;
  const dashed = dashes ? ` stroke-dasharray="${dashes}"` : '';
  const line = `fill="none" stroke-linecap="round" stroke-linejoin="round"${dashed}`;
  return `<g ${line} stroke="${stroke}" stroke-width="${width}" transform="translate(${x} ${y})">${letters}</g>`;
}

/** Bubbles rise at both ends. */
function bubbles(width: number, height: number): string {
  const places = [
    [-16, height - 12, 11],
    [-24, height - 44, 6],
    [-10, 4, 8],
    [width + 16, 8, 12],
    [width + 24, 40, 6],
    [width + 10, height - 6, 8],
  ];
  const drawn = places.map(([x, y, radius]) => `<circle cx="${x}" cy="${y}" r="${radius}" />`);
  return `<g fill="#9fe9ff55" stroke="#e6fbff" stroke-width="2.5">${drawn.join('')}</g>`;
}

/**
 * Draws the text of a heading twice: in one line, and with a line for each word. The style sheet
 * shows the one that fits.
 */
export function drawTitle(heading: HTMLElement): void {
  const title = heading.textContent ?? '';
  const wide = wordmark([title], CORAL);
  const narrow = wordmark(title.split(' '), CORAL);
  if (wide === undefined || narrow === undefined) return;
  heading.ariaLabel = title;
  heading.innerHTML = wide + narrow;
}

/** Draws an amount in gold, or writes it if a sign of its currency is not drawn. */
export function drawAmount(element: HTMLElement, text: string): void {
  const drawn = wordmark([text], GOLD);
  if (drawn === undefined) element.textContent = text;
  else element.innerHTML = drawn;
}
