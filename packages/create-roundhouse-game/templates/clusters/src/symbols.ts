import { Color, Container, Graphics, type Renderer, type Texture } from 'pixi.js';
import { SYMBOLS, type SymbolCode } from '../math/rules.ts';

/** The side of a cell of the board, in units of the stage. */
export const CELL = 100;
const RADIUS = 38;

type Look = { color: string; draw: (drawn: Graphics, radius: number) => Graphics };

/** Each has its own colour and outline, so that you can tell them apart without colour. */
const LOOKS: Record<SymbolCode, Look> = {
  H1: { color: '#ff5a4f', draw: (drawn, radius) => drawn.star(0, 3, 5, radius * 1.2, radius * 0.62, -0.1) },
  H2: { color: '#ff9ecb', draw: shell },
  H3: { color: '#e9f1ff', draw: (drawn, radius) => drawn.circle(0, 0, radius * 0.94) },
  L1: { color: '#ff8a3d', draw: (drawn, radius) => drawn.regularPoly(0, 0, radius * 1.02, 6, 0) },
  L2: { color: '#3ecf7a', draw: (drawn, radius) => drawn.roundPoly(0, 5, radius * 1.15, 3, 12, 0) },
  L3: { color: '#9a5cf5', draw: (drawn, radius) => drawn.star(0, 0, 12, radius * 1.08, radius * 0.8, 0) },
  L4: { color: '#4aa8d8', draw: (drawn, radius) => drawn.roundPoly(0, 0, radius * 1.14, 4, 14, 0) },
};

/** Draws all symbols once; the board shows them as sprites. */
export function drawSymbols(renderer: Renderer): Record<SymbolCode, Texture> {
  const textures = SYMBOLS.map((symbol) => {
    const art = glassy(LOOKS[symbol]);
    // The square has the cell's size, so that every texture has the same one.
    const square = new Graphics().rect(0, 0, CELL, CELL).fill({ color: 0, alpha: 0 });
    art.position.set(CELL / 2);
    const target = new Container({ children: [square, art] });
    return [symbol, renderer.generateTexture({ target, resolution: 2, antialias: true })];
  });
  return Object.fromEntries(textures);
}

/** Draws a fan with a foot. */
function shell(drawn: Graphics, radius: number): Graphics {
  const points = Array.from({ length: 13 }, (_, place) => {
    const angle = Math.PI * (1.08 + (0.84 * place) / 6 / 2) + 0;
    const reach = radius * (place % 2 === 0 ? 1.12 : 1.22);
    return { x: Math.cos(angle) * reach, y: Math.sin(angle) * reach + radius * 0.45 };
  });
  const foot = [
    { x: radius * 0.3, y: radius * 0.9 },
    { x: -radius * 0.3, y: radius * 0.9 },
  ];
  return drawn.poly([...points, ...foot]);
}

/**
 * Draws a rim, a body, a lighter heart and a highlight, as of glass that the sea has worn round.
 */
function glassy({ color, draw }: Look): Container {
  const stone = draw(new Graphics(), RADIUS + 3).fill({ color: '#02131f', alpha: 0.5 });
  draw(stone, RADIUS).fill(shade(color, -0.32));
  draw(stone, RADIUS * 0.88).fill(color);
  draw(stone, RADIUS * 0.6).fill({ color: shade(color, 0.35), alpha: 0.8 });
  stone.ellipse(-RADIUS * 0.28, -RADIUS * 0.38, RADIUS * 0.3, RADIUS * 0.17).fill({ color: '#ffffff', alpha: 0.65 });
  return new Container({ children: [stone] });
}

/** `light` goes from -1, black, to 1, white. */
function shade(color: string, light: number): number {
  const [red, green, blue] = new Color(color).toRgbArray() as [number, number, number];
  const mixed = (value: number) => (light < 0 ? value * (1 + light) : value + (1 - value) * light);
  return new Color([mixed(red), mixed(green), mixed(blue)]).toNumber();
}
