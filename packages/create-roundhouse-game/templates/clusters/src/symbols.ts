import type { Texture } from 'pixi.js';
import { SYMBOLS, type SymbolCode } from '../math/rules.ts';
import { createCanvas, drawArt, SCALE, sharpTexture } from './art.ts';

/** The side of a cell of the board, in units of the stage. */
export const CELL = 100;
/** A texture is larger than its cell, so that the shadow has room, and the glow of a lit one. */
const SIDE = { rest: 112, lit: 140 };
/** The side of the picture itself, which is `art/H1.svg` and so on. */
const ART = 90;

export type SymbolTextures = Record<SymbolCode, { rest: Texture; lit: Texture }>;

/** Draws all symbols once; the board shows them as sprites. */
export async function drawSymbols(): Promise<SymbolTextures> {
  const drawn = SYMBOLS.map(async (symbol) => {
    const art = await drawArt(symbol, { width: ART * SCALE, height: ART * SCALE });
    return [symbol, { rest: sharpTexture(finish(art, 'rest')), lit: sharpTexture(finish(art, 'lit')) }] as const;
  });
  return Object.fromEntries(await Promise.all(drawn)) as SymbolTextures;
}

/** Returns the symbol as it lies in its cell. */
export function pictureOf({ source }: Texture): HTMLCanvasElement {
  const side = CELL * SCALE;
  const drawn = createCanvas({ width: side, height: side });
  const margin = ((SIDE.rest - CELL) / 2) * SCALE;
  drawn.drawImage(source.resource, -margin, -margin);
  return drawn.canvas;
}

/**
 * Gives a picture what all symbols share: a drop shadow, a dark outline, and an edge that is light
 * on the upper left and dark on the lower right. A lit one shines.
 */
function finish(art: HTMLCanvasElement, state: keyof typeof SIDE): HTMLCanvasElement {
  const isLit = state === 'lit';
  const side = SIDE[state] * SCALE;
  const start = (side - art.width) / 2;
  const drawn = createCanvas({ width: side, height: side });
  const outline = filled(art, '#04142e');
  const around = (radius: number) => {
    for (let angle = 0; angle < 2 * Math.PI; angle += Math.PI / 12) {
      drawn.drawImage(outline, start + radius * Math.cos(angle), start + radius * Math.sin(angle));
    }
  };
  const shadow = isLit
    ? { shadowColor: '#ffd75e', shadowBlur: 34, shadowOffsetY: 0 }
    : { shadowColor: 'rgb(0 8 24 / 75%)', shadowBlur: 10, shadowOffsetY: 9 };
  Object.assign(drawn, shadow);
  for (let layer = 0; layer < (isLit ? 4 : 1); layer += 1) drawn.drawImage(outline, start, start);
  Object.assign(drawn, { shadowColor: 'transparent' });
  around(5);
  drawn.drawImage(art, start, start);
  drawn.drawImage(edge(art, 'rgb(0 10 60 / 45%)', -5), start, start);
  drawn.drawImage(edge(art, 'rgb(255 255 255 / 70%)', 3), start, start);
  if (!isLit) return drawn.canvas;
  drawn.globalCompositeOperation = 'soft-light';
  drawn.drawImage(filled(art, 'rgb(255 248 216 / 55%)'), start, start);
  return drawn.canvas;
}

/** Returns the silhouette of a picture. */
function filled(art: HTMLCanvasElement, color: string): HTMLCanvasElement {
  const drawn = createCanvas(art);
  drawn.drawImage(art, 0, 0);
  drawn.globalCompositeOperation = 'source-in';
  drawn.fillStyle = color;
  drawn.fillRect(0, 0, art.width, art.height);
  return drawn.canvas;
}

/** Returns what is left of the silhouette when a copy, moved by `away`, is cut out of it. */
function edge(art: HTMLCanvasElement, color: string, away: number): HTMLCanvasElement {
  const drawn = createCanvas(art);
  drawn.drawImage(filled(art, color), 0, 0);
  drawn.globalCompositeOperation = 'destination-out';
  drawn.drawImage(filled(art, '#000'), away, away);
  return drawn.canvas;
}
