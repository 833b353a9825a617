import { createCanvas, type Drawable } from './rasterise.ts';

type Painter = (context: CanvasRenderingContext2D, width: number, height: number) => void;

/** A tile of the atlas: how large it is, and what paints it into its place. */
export type Painted = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly paint: Painter;
  /**
   * Stretched far beyond its size: its outermost texels, which mix with the empty sheet, are not
   * shown.
   */
  readonly stretched?: true;
};

/**
 * Copies in a first pass, and copies of its result in a second: together as smooth as their
 * product.
 */
const SMEAR_COPIES = 7;
/** How much taller than its symbol a smeared one is. */
export const SMEAR_STRETCH = 1.7;
export const SHEEN_FRAMES = 14;

export function picture(name: string, drawable: Drawable, size: { width: number; height: number }): Painted {
  return {
    name,
    ...size,
    paint: (context, width, height) => context.drawImage(drawable.image, 0, 0, width, height),
  };
}

/** The symbol as it is seen while it flies by: the mean of many copies, each a little lower. */
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
 * One picture of the light that sweeps over a symbol, cut out by the symbol's shape. `part`: 0 to 1
 * of its way.
 */
export function sheen(name: string, drawable: Drawable, options: { side: number; part: number }): Painted {
  const { side, part } = options;
  return {
    name,
    width: side,
    height: side,
    paint: (context) => {
      // Composed on a canvas of its own: source-in would wipe the rest of the sheet.
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
