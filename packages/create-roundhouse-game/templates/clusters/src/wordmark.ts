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
  I: [0, 'M0 0V100'],
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
};
const BETWEEN_LETTERS = 32;
const LINE = 150;
const MARGIN = 34;

/** From the back to the front: each layer draws all letters again, moved by `x` and `y`. */
const LAYERS = [
  { width: 46, color: '#03102a', x: 0, y: 8 },
  { width: 46, color: '#03102a', x: 0, y: 0 },
  { width: 32, color: '#7a0636', x: 0, y: 9 },
  { width: 32, color: '#ffe9c4', x: 0, y: 0 },
  { width: 25, color: 'coral', x: 0, y: 0 },
  { width: 4, color: '#ffe3ee', x: 4, y: 4, dashes: '0 11' },
  { width: 5, color: '#ffffffd9', x: -5, y: -5 },
];

const STOPS = `<stop stop-color="#ffc48a" /><stop offset=".35" stop-color="#ff6b6b" />
  <stop offset=".7" stop-color="#ff2f7d" /><stop offset="1" stop-color="#c4106a" />`;

/** A gradient of a hidden drawing draws nothing, so that each drawing needs its own. */
let drawings = 0;

/**
 * Draws lines of text as branches of coral, with bubbles. Returns undefined if it lacks a letter.
 */
function wordmark(lines: readonly string[]): string | undefined {
  const rows = lines.map((line) => [...line.toUpperCase()].map((letter) => LETTERS[letter]));
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
    const layers = LAYERS.map((layer) => layerOf(placed.join(''), layer, id));
    return `<g transform="translate(0 ${line * LINE})">${layers.join('')}</g>`;
  });
  const height = (rows.length - 1) * LINE + 100;
  const box = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  return `<svg viewBox="${box}" aria-hidden="true">
    <linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" y1="-12" x2="0" y2="112">${STOPS}</linearGradient>
    ${drawn.join('')}${bubbles(width, height)}</svg>`;
}

function layerOf(letters: string, layer: (typeof LAYERS)[number], gradientID: string): string {
  const { width, color, x, y, dashes } = layer;
  const stroke = color === 'coral' ? `url(#${gradientID})` : color;
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
  const wide = wordmark([title]);
  const narrow = wordmark(title.split(' '));
  if (wide === undefined || narrow === undefined) return;
  heading.ariaLabel = title;
  heading.innerHTML = wide + narrow;
}
