import { FillGradient, Text, type TextStyleOptions } from 'pixi.js';

const BRASS = [
  { offset: 0, color: '#fffdf0' },
  { offset: 0.3, color: '#ffe9a6' },
  { offset: 0.52, color: '#f4c867' },
  { offset: 0.56, color: '#c98a33' },
  { offset: 0.8, color: '#f2c05c' },
  { offset: 1, color: '#fff0b8' },
];

function brass(): FillGradient {
  return new FillGradient({
    type: 'linear',
    start: { x: 0, y: 0 },
    end: { x: 0, y: 1 },
    colorStops: BRASS,
    textureSpace: 'local',
  });
}

type Lettering = 'title' | 'amount' | 'note' | 'plain';

/** Texts are set at this size and scaled down to fit, so that they stay sharp. */
const FONT_SIZE: Readonly<Record<Lettering, number>> = { title: 96, amount: 96, note: 44, plain: 52 };

function styleOf(lettering: Lettering): TextStyleOptions {
  const fontSize = FONT_SIZE[lettering];
  const shadow = { color: '#03061a', alpha: 0.85, angle: Math.PI / 2, blur: fontSize * 0.1, distance: fontSize * 0.06 };
  switch (lettering) {
    case 'title':
      return {
        fontFamily: DISPLAY_FONT,
        fontSize,
        fill: brass(),
        stroke: { color: '#2a1236', width: fontSize * 0.13, join: 'round' },
        dropShadow: shadow,
        align: 'center',
        padding: fontSize * 0.25,
      };
    case 'amount':
      return {
        fontFamily: TEXT_FONT,
        fontWeight: '700',
        fontSize,
        fill: brass(),
        stroke: { color: '#1c0d2c', width: fontSize * 0.1, join: 'round' },
        dropShadow: shadow,
        align: 'center',
        padding: fontSize * 0.25,
      };
    case 'note':
      return { fontFamily: TEXT_FONT, fontWeight: '600', fontSize, fill: '#eaf4ff', align: 'center', padding: 10 };
    default:
      return {
        fontFamily: TEXT_FONT,
        fontWeight: '700',
        fontSize,
        fill: '#fff0b8',
        stroke: { color: '#140a2a', width: fontSize * 0.16, join: 'round' },
        align: 'center',
        padding: 14,
      };
  }
}

/** Makes a text whose anchor is its middle. */
export function createWords(lettering: Lettering): Text {
  const text = new Text({ text: '', style: styleOf(lettering), anchor: 0.5 });
  text.visible = false;
  return text;
}

/**
 * Writes a text and shrinks it to fit in any language. `height`: of the letters when there is
 * enough width.
 */
export function writeWords(text: Text, words: string, room: { width: number; height: number }): void {
  if (text.text !== words) text.text = words;
  text.visible = words !== '';
  fitWords(text, room);
}

function fitWords(text: Text, room: { width: number; height: number }): void {
  text.scale.set(1);
  const { width, height } = text.getLocalBounds();
  if (width > 0) text.scale.set(Math.min(room.width / width, room.height / height));
}

/** Limelight has Western European letters only, and a word must not mix two typefaces. */
const DISPLAY_LETTERS = /^[\u0020-\u00ff\u0152\u0153\u2010-\u203a]*$/u;

/** Writes a title in the display face when it has all the letters, else bold in the text face. */
export function writeTitle(text: Text, words: string): void {
  const display = DISPLAY_LETTERS.test(words);
  text.style.fontFamily = display ? DISPLAY_FONT : TEXT_FONT;
  text.style.fontWeight = display ? '400' : '700';
  text.text = words;
  text.visible = words !== '';
}

/** The fonts' style sheets have these names. Other scripts use system fonts. */
const DISPLAY_FONT = ['Times Sign', 'Limelight', 'Josefin Sans Variable', 'system-ui', 'sans-serif'];
const TEXT_FONT = ['Times Sign', 'Josefin Sans Variable', 'system-ui', 'sans-serif'];

/**
 * Loads the fonts first, because a painted text keeps its font. The game starts without a font that
 * fails to load.
 */
export async function loadFonts(): Promise<void> {
  const wanted = ["400 40px 'Limelight'", "700 40px 'Josefin Sans Variable'", "700 40px 'Times Sign'"];
  await Promise.allSettled(wanted.map((font) => document.fonts.load(font, 'AURORA 0123456789×')));
}
