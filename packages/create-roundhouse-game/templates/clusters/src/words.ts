import { FillGradient, Text } from 'pixi.js';

/** Numbers on the canvas have these letters. */
export const NUMBERS = {
  fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--letters'),
  fontWeight: '900',
  fill: '#bdeeff',
  stroke: { color: '#03102a', width: 7, join: 'round' },
} as const;

const GOLD = new FillGradient({
  end: { x: 0, y: 1 },
  colorStops: [
    { offset: 0.1, color: '#fffdf0' },
    { offset: 0.5, color: '#ffe27a' },
    { offset: 0.6, color: '#ffb02e' },
    { offset: 0.95, color: '#fff0b8' },
  ],
});

/** Makes a text of gold: what a cluster pays, and what the round has won. */
export function goldText(fontSize: number): Text {
  const stroke = { color: '#4a1a02', width: fontSize / 6, join: 'round' } as const;
  const dropShadow = { color: '#020c1f', alpha: 0.8, angle: Math.PI / 2, distance: 4, blur: 4 };
  const text = new Text({ style: { ...NUMBERS, fontSize, fill: GOLD, stroke, dropShadow, padding: 8 } });
  text.anchor.set(0.5);
  return text;
}
