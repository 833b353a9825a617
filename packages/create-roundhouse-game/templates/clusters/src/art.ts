import { ImageSource, Texture } from 'pixi.js';

/** The board takes its pictures from `art/` by name, the style sheets from `art/page/`. */
const FILES: Record<string, string> = import.meta.glob('./art/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Texels for each unit of the stage. */
export const SCALE = 2;

export type Size = { width: number; height: number };

/** Makes a canvas, and returns what draws on it. */
export function createCanvas({ width, height }: Size): CanvasRenderingContext2D {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  return canvas.getContext('2d') as CanvasRenderingContext2D;
}

/** Draws a picture of `art/` at this size, once: an SVG is too slow to be drawn in every frame. */
export async function drawArt(name: string, { width, height }: Size): Promise<HTMLCanvasElement> {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(FILES[`./art/${name}.svg`] ?? '')}`;
  await image.decode();
  const drawn = createCanvas({ width, height });
  drawn.drawImage(image, 0, 0, width, height);
  return drawn.canvas;
}

/** Makes a texture of a canvas with SCALE texels for each unit. */
export function sharpTexture(canvas: HTMLCanvasElement): Texture {
  const source = new ImageSource({ resource: canvas, resolution: SCALE, autoGenerateMipmaps: true });
  return new Texture({ source });
}
