/** Every digit has this width in em of the font: see .d0 to .d9 in styles/controls.css. */
export const DIGIT_CELL_EM = 0.6;

/** The room between capitals, in em (`--tracking`). */
const TRACKING_EM = 0.08;

// These are generous averages for Josefin Sans semi-bold and the system's fonts. A text that is
// estimated too wide becomes a little smaller. One that is estimated too narrow would be cut.
const WIDTHS_EM: readonly (readonly [RegExp, number])[] = [
  [/\d/, DIGIT_CELL_EM],
  [/[\u2066-\u2069\u200e\u200f]|\p{M}/u, 0],
  [/[.,'’:|\u060c\u066b\u066c]/, 0.22],
  [/\s/, 0.34],
  [/[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uff00-\uffee]/, 1.04],
  [/×/, 0.84],
  [/[MWmw€ЖШЩМЮФЫжшщмюфы%]/, 0.98],
  [/\p{Lu}/u, 0.76],
  [/[iljtfrI()\-/]/, 0.36],
  [/\p{Script=Greek}/u, 0.72],
];
const OTHER_EM = 0.64;

/** Returns the estimated width of a text in one line, in em, without a measurement in the page. */
export function textWidthEm(text: string, { isCapitals = false }: { isCapitals?: boolean } = {}): number {
  let width = 0;
  for (const character of isCapitals ? text.toUpperCase() : text) {
    width += WIDTHS_EM.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER_EM;
    if (isCapitals) width += TRACKING_EM;
  }
  return Math.max(1, Math.round(width * 100) / 100);
}

/**
 * Lines break at spaces, and around each character of Chinese and Japanese, which have none: only
 * the words in katakana stay whole.
 */
const WORDS = /[\u30a1-\u30ff]+|[\u3000-\u30a0\u3100-\u9fff\uff00-\uffee]|[^\s\u3000-\u9fff\uff00-\uffee]+/g;

/** Returns the estimated width of the widest part that a line cannot break, in em. */
export function widestWordEm(text: string): number {
  return Math.max(1, ...(text.match(WORDS) ?? []).map((word) => textWidthEm(word)));
}
