import { Container, NineSliceSprite, Text, type Texture } from 'pixi.js';
import { MULTIPLIERS } from '../math/rules.ts';
import type { Size } from './art.ts';
import { NUMBERS } from './words.ts';

/** Between two multipliers, in units of the stage. */
export const GAP = 10;
const CORNER = 32;
const LIT_MS = 350;

export type Ladder = {
  root: Container;
  arrangeRow(size: Size): void;
  /** Arranges them with the least multiplier at the bottom. */
  arrangeColumn(size: Size): void;
  light(tumbles: number): void;
  update(ms: number): boolean;
};

/** Makes the multipliers in a row or a column. The one that counts is lit. */
export function createLadder(plates: { rest: Texture; lit: Texture }): Ladder {
  const corners = { leftWidth: CORNER, rightWidth: CORNER, topHeight: CORNER, bottomHeight: CORNER };
  const steps = MULTIPLIERS.map((multiplier) => {
    const plate = new NineSliceSprite({ texture: plates.rest, ...corners });
    const text = new Text({ text: `×${multiplier}`, style: { ...NUMBERS, fontSize: 32 } });
    plate.anchor.set(0.5);
    text.anchor.set(0.5);
    return { root: new Container({ children: [plate, text] }), plate, text };
  });
  let lit = -1;
  let litMs = LIT_MS;

  const arrange = ({ width, height }: Size, placeOf: (place: number) => [number, number]) => {
    const widest = Math.max(...steps.map(({ text }) => text.width / text.scale.x));
    for (const [place, { root, plate, text }] of steps.entries()) {
      const [x, y] = placeOf(place);
      root.position.set(x + width / 2, y + height / 2);
      Object.assign(plate, { width, height });
      text.scale.set(Math.min(1.25, (0.8 * width) / widest));
    }
  };

  return {
    root: new Container({ children: steps.map(({ root }) => root) }),
    arrangeRow({ width, height }) {
      const step = (width + GAP) / steps.length;
      arrange({ width: step - GAP, height }, (place) => [place * step, 0]);
    },
    arrangeColumn({ width, height }) {
      const step = (height + GAP) / steps.length;
      arrange({ width, height: step - GAP }, (place) => [0, (steps.length - 1 - place) * step]);
    },
    light(tumbles) {
      lit = tumbles === 0 ? -1 : Math.min(tumbles, steps.length) - 1;
      litMs = 0;
      for (const [place, { root, plate, text }] of steps.entries()) {
        const isLit = place === lit;
        root.scale.set(1);
        root.alpha = isLit || place > lit ? 1 : 0.6;
        plate.texture = isLit ? plates.lit : plates.rest;
        text.style.fill = isLit ? '#fffdf0' : '#bdeeff';
        text.style.stroke = { color: isLit ? '#7a2c00' : '#03102a', width: 7, join: 'round' };
      }
    },
    update(ms) {
      if (litMs >= LIT_MS) return false;
      litMs = Math.min(LIT_MS, litMs + ms);
      steps[lit]?.root.scale.set(1 + 0.22 * Math.sin((Math.PI * litMs) / LIT_MS));
      return true;
    },
  };
}
