import type { SymbolCode } from '../../../rules.ts';

type Painter = (context: CanvasRenderingContext2D, width: number, height: number) => void;

/** A tile of the sheet has a size, and a function that paints it. */
export type Painted = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly paint: Painter;
  /**
   * The tile is drawn much larger. Its outermost texels mix with the empty sheet and are cut off.
   */
  readonly stretched?: true;
};

/** The copies that each of two passes draws. The result is as smooth as 49 copies. */
const SMEAR_COPIES = 7;
/** A smeared symbol is this many symbols high. */
export const SMEAR_STRETCH = 1.7;
export const SHEEN_FRAMES = 14;

export function picture(name: string, drawable: Drawable, size: { width: number; height: number }): Painted {
  return {
    name,
    ...size,
    paint: (context, width, height) => context.drawImage(drawable.image, 0, 0, width, height),
  };
}

/** Returns the symbol with motion blur: the mean of many copies, each a little lower. */
export function smeared(name: string, drawable: Drawable, side: number): Painted {
  const width = Math.round(side * 0.75);
  const height = Math.round(side * 0.75 * SMEAR_STRETCH);
  return {
    name,
    width,
    height,
    paint: (context) => {
      const way = height - width;
      const fine = way / SMEAR_COPIES;
      const first = createCanvas({ width, height });
      first.globalCompositeOperation = 'lighter';
      first.globalAlpha = 1 / SMEAR_COPIES;
      for (let copy = 0; copy < SMEAR_COPIES; copy++) {
        first.drawImage(drawable.image, 0, (fine * copy) / SMEAR_COPIES, width, width);
      }
      context.globalCompositeOperation = 'lighter';
      context.globalAlpha = 1 / SMEAR_COPIES;
      for (let copy = 0; copy < SMEAR_COPIES; copy++) context.drawImage(first.canvas, 0, fine * copy);
    },
  };
}

/**
 * Returns one frame of the light that sweeps over a symbol, in the symbol's shape. `part` goes from
 * 0 to 1 of its way.
 */
export function sheen(name: string, drawable: Drawable, options: { side: number; part: number }): Painted {
  const { side, part } = options;
  return {
    name,
    width: side,
    height: side,
    paint: (context) => {
      // It is composed on a separate canvas, because source-in would erase the rest of the sheet.
      const own = createCanvas({ width: side, height: side });
      own.drawImage(drawable.image, 0, 0, side, side);
      own.globalCompositeOperation = 'source-in';
      const centre = side * (-0.35 + 1.7 * part);
      const band = own.createLinearGradient(centre - side * 0.2, 0, centre + side * 0.2, side * 0.16);
      band.addColorStop(0, 'rgba(255,244,214,0)');
      band.addColorStop(0.42, 'rgba(255,250,235,.75)');
      band.addColorStop(0.58, 'rgba(255,250,235,.75)');
      band.addColorStop(1, 'rgba(255,244,214,0)');
      own.fillStyle = band;
      own.fillRect(0, 0, side, side);
      context.drawImage(own.canvas, 0, 0);
    },
  };
}

type Tile = { readonly width: number; readonly height: number };
type Place = { readonly x: number; readonly y: number };

/** The gap keeps linear filtering from reading a neighbour's texel. */
const GAP = 4;

/**
 * Places tiles row by row on a sheet of this width, the tallest first. Returns the places in the
 * order of the tiles, and the height that is used.
 */
export function packShelves(tiles: readonly Tile[], sheetWidth: number): { places: Place[]; height: number } {
  const order = tiles.map((_, index) => index).sort((a, b) => (tiles[b]?.height ?? 0) - (tiles[a]?.height ?? 0));
  const places: Place[] = tiles.map(() => ({ x: 0, y: 0 }));
  let x = GAP;
  let y = GAP;
  let shelf = 0;
  for (const index of order) {
    const tile = tiles[index];
    if (tile === undefined) continue;
    if (tile.width + 2 * GAP > sheetWidth) throw new RangeError(`a tile of ${tile.width} is wider than the sheet`);
    if (x + tile.width + GAP > sheetWidth) {
      x = GAP;
      y += shelf + GAP;
      shelf = 0;
    }
    places[index] = { x, y };
    x += tile.width + GAP;
    shelf = Math.max(shelf, tile.height);
  }
  return { places, height: y + shelf + GAP };
}

export type Drawable = {
  readonly image: HTMLImageElement | HTMLCanvasElement;
  readonly width: number;
  readonly height: number;
};

/** Loads a picture from its SVG text. `width` and `height` are in its coordinates. */
export async function loadSvg(text: string): Promise<Drawable> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return { image, width: image.naturalWidth, height: image.naturalHeight };
}

/** Makes a canvas of whole pixels, and its context. */
export function createCanvas(size: { width: number; height: number }): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(size.width));
  canvas.height = Math.max(1, Math.ceil(size.height));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser gives no 2D canvas.');
  context.imageSmoothingQuality = 'high';
  return context;
}

/** Returns the picture at this width in pixels, its height in proportion. */
export function rasterise(drawable: Drawable, width: number): HTMLCanvasElement {
  const height = (width * drawable.height) / drawable.width;
  const context = createCanvas({ width, height });
  context.drawImage(drawable.image, 0, 0, context.canvas.width, context.canvas.height);
  return context.canvas;
}

/** These symbols have a separate glow picture. A sheen sweeps over them from time to time. */
const LIT_SYMBOLS = ['W', 'S', 'H1'] as const;

type LitSymbol = (typeof LIT_SYMBOLS)[number];

export function isLit(code: SymbolCode): code is LitSymbol {
  return (LIT_SYMBOLS as readonly SymbolCode[]).includes(code);
}
