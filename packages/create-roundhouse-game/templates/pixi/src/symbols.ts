import { Color, Container, Graphics, type Renderer, Text, type Texture } from 'pixi.js';
import { SYMBOLS, type SymbolCode } from '../math/rules.ts';

/** A cell of the board has this side, in units of the stage. */
export const CELL = 150;
const RADIUS = 56;

type Look = { color: string; corners: number; turn: number; stretch?: number };

/** Each gem has its own colour and its own outline, so that colour alone tells none apart. */
const LOOKS: Record<Exclude<SymbolCode, 'W'>, Look> = {
  H1: { color: '#e5304f', corners: 8, turn: 22.5 },
  H2: { color: '#2f8bff', corners: 4, turn: 0, stretch: 1.12 },
  H3: { color: '#18b874', corners: 6, turn: 30 },
  L1: { color: '#a04df0', corners: 3, turn: 0, stretch: 1.1 },
  L2: { color: '#f0932b', corners: 5, turn: 0 },
  L3: { color: '#1fb8c9', corners: 4, turn: 45 },
  L4: { color: '#d6d9e8', corners: 12, turn: 0, stretch: 0.86 },
};

/** Draws all symbols once; the reels show them as sprites. */
export function drawSymbols(renderer: Renderer, wildText: string): Record<SymbolCode, Texture> {
  const textures = SYMBOLS.map((symbol) => {
    const art = symbol === 'W' ? wild(wildText) : gem(LOOKS[symbol]);
    // The square has the cell's size, so that every texture has the same one.
    const target = new Container({
      children: [new Graphics().rect(0, 0, CELL, CELL).fill({ color: 0, alpha: 0 }), art],
    });
    art.position.set(CELL / 2);
    return [symbol, renderer.generateTexture({ target, resolution: 2, antialias: true })];
  });
  return Object.fromEntries(textures);
}

type Point = { x: number; y: number };

function outline({ corners, turn, stretch = 1 }: Look, radius: number): Point[] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = ((corner * 360) / corners + turn - 90) * (Math.PI / 180);
    return { x: Math.cos(angle) * radius * stretch, y: Math.sin(angle) * radius * stretch };
  });
}

/** Draws a cut stone: facets around a flat top, lighter where they look up and to the left. */
function gem(look: Look): Container {
  const outer = outline(look, RADIUS);
  const inner = outline(look, RADIUS * 0.58);
  const stone = new Graphics();
  stone.poly(outline(look, RADIUS + 5)).fill({ color: '#05070f', alpha: 0.55 });
  for (const [place, corner] of outer.entries()) {
    const next = (place + 1) % outer.length;
    const nextCorner = outer[next] as Point;
    // The light of the middle of the edge goes from −1, dark, to 1.
    const light = -(corner.y + nextCorner.y + 0.6 * (corner.x + nextCorner.x)) / (RADIUS * 2.6);
    stone.poly([corner, nextCorner, inner[next], inner[place]] as Point[]).fill(shade(look.color, light * 0.5));
  }
  stone.poly(inner).fill(shade(look.color, 0.22));
  stone.poly([inner[0], inner[1], { x: 0, y: 0 }, inner.at(-1)] as Point[]).fill({ color: '#ffffff', alpha: 0.22 });
  stone.poly(outer).stroke({ width: 2, color: shade(look.color, 0.5), alpha: 0.7 });
  return new Container({ children: [stone] });
}

function wild(label: string): Container {
  const star = new Graphics()
    .star(0, -4, 10, RADIUS + 8, RADIUS - 8)
    .fill('#7a4a00')
    .star(0, -4, 10, RADIUS + 3, RADIUS - 12)
    .fill('#ffc83d')
    .circle(0, -4, RADIUS - 18)
    .fill('#fff0b8');
  const text = new Text({
    text: label,
    style: { fontFamily: 'system-ui, sans-serif', fontWeight: '900', fontSize: 30, fill: '#8a2b00', letterSpacing: 1 },
  });
  text.anchor.set(0.5);
  text.y = -4;
  text.scale.set(Math.min(1, 92 / text.width));
  return new Container({ children: [star, text] });
}

/** `light` goes from -1, black, to 1, white. */
function shade(color: string, light: number): number {
  const [red, green, blue] = new Color(color).toRgbArray() as [number, number, number];
  const mixed = (value: number) => (light < 0 ? value * (1 + light) : value + (1 - value) * light);
  return new Color([mixed(red), mixed(green), mixed(blue)]).toNumber();
}
