export type Drawable = {
  readonly image: HTMLImageElement | HTMLCanvasElement;
  readonly width: number;
  readonly height: number;
};

/** Loads a picture from its SVG text. `width` and `height` are those of its own coordinates. */
export async function loadSvg(text: string): Promise<Drawable> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return { image, width: image.naturalWidth, height: image.naturalHeight };
}

/** A canvas of whole pixels, and its context. */
export function createCanvas(size: { width: number; height: number }): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(size.width));
  canvas.height = Math.max(1, Math.ceil(size.height));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser gives no 2D canvas.');
  context.imageSmoothingQuality = 'high';
  return context;
}

/** The picture at this width in pixels, its height in proportion. */
export function rasterise(drawable: Drawable, width: number): HTMLCanvasElement {
  const height = (width * drawable.height) / drawable.width;
  const context = createCanvas({ width, height });
  context.drawImage(drawable.image, 0, 0, context.canvas.width, context.canvas.height);
  return context.canvas;
}
