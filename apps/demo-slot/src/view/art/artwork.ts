import { ImageSource, Rectangle, Texture, type TextureSource } from 'pixi.js';
import { SYMBOLS } from '../../../rules.ts';
import { lightsAndShades, sunburst } from './lightsAndShades.ts';
import {
  createCanvas,
  type Drawable,
  isLit,
  loadSvg,
  type Painted,
  packShelves,
  picture,
  rasterise,
  SHEEN_FRAMES,
  sheen,
  smeared,
} from './tiles.ts';

const SHEET_WIDTH = 2048;

/** `shrinks`: the picture is also drawn much smaller. */
type LargePicture = {
  readonly name: string;
  readonly part: number;
  readonly most: number;
  readonly shrinks?: true;
};

/**
 * Each of these pictures has a separate texture. `part` is their width as a part of the screen's,
 * `most` the largest width in pixels.
 */
const LARGE_PICTURES: readonly LargePicture[] = [
  { name: 'ui/logo', part: 0.4, most: 1000, shrinks: true },
  { name: 'ui/logoSmall', part: 0.34, most: 720, shrinks: true },
  { name: 'ui/frame', part: 0.62, most: 1200, shrinks: true },
  { name: 'ui/frameFree', part: 0.62, most: 1200, shrinks: true },
  { name: 'ui/plaque', part: 0.5, most: 900, shrinks: true },
  { name: 'scene/firebox', part: 0.22, most: 420, shrinks: true },
  { name: 'scene/moon', part: 0.16, most: 320 },
  { name: 'scene/mountainsFar', part: 1, most: 1920 },
  { name: 'scene/mountainsMid', part: 1, most: 1920 },
  { name: 'scene/mountainsNear', part: 1, most: 1920 },
  { name: 'scene/pines', part: 1, most: 1920 },
  { name: 'scene/rails', part: 1, most: 1920 },
  { name: 'scene/train', part: 1.2, most: 2000, shrinks: true },
];

/** All textures, by name. Small ones share one sheet, so that a board is one draw call. */
export class Artwork {
  private readonly textures = new Map<string, Texture>();

  /** A missing picture is a bug of the build. */
  get(name: string): Texture {
    const texture = this.textures.get(name);
    if (texture === undefined) throw new Error(`There is no picture "${name}".`);
    return texture;
  }

  addCanvas(name: string, canvas: HTMLCanvasElement, options: { shrinks: boolean }): void {
    this.textures.set(name, new Texture({ source: sourceOf(canvas, options.shrinks), label: name }));
  }

  addSheet(tiles: readonly Painted[]): void {
    const { places, height } = packShelves(tiles, SHEET_WIDTH);
    const context = createCanvas({ width: SHEET_WIDTH, height });
    const source = sourceOf(context.canvas, true);
    tiles.forEach((tile, index) => {
      const place = places[index];
      if (place === undefined) return;
      context.save();
      context.translate(place.x, place.y);
      context.beginPath();
      context.rect(0, 0, tile.width, tile.height);
      context.clip();
      tile.paint(context, tile.width, tile.height);
      context.restore();
      const inset = tile.stretched === true ? 1.5 : 0;
      const frame = new Rectangle(place.x + inset, place.y + inset, tile.width - 2 * inset, tile.height - 2 * inset);
      this.textures.set(tile.name, new Texture({ source, frame, label: tile.name }));
    });
  }

  /** Returns each texture source once. The stage uploads them before they are needed. */
  sources(): Set<TextureSource> {
    return new Set([...this.textures.values()].map((texture) => texture.source));
  }

  destroy(): void {
    for (const texture of this.textures.values()) texture.destroy(true);
    this.textures.clear();
  }
}

function sourceOf(canvas: HTMLCanvasElement, mipmaps: boolean): ImageSource {
  return new ImageSource({
    resource: canvas,
    autoGenerateMipmaps: mipmaps,
    scaleMode: 'linear',
    mipmapFilter: 'linear',
  });
}

/** `symbolSize` is the texels of a symbol's side, `screenWidth` the device pixels across. */
export async function loadArtwork(
  options: { symbolSize: number; screenWidth: number },
  onProgress: (progress: number) => void,
): Promise<Artwork> {
  const { ART_TEXTS } = await import('./artTexts.ts');
  const pictures = new Map<string, Drawable>();
  let done = 0;
  onProgress(0.2);
  await Promise.all(
    [...ART_TEXTS].map(async ([name, text]) => {
      pictures.set(name, await loadSvg(text));
      done++;
      onProgress(0.2 + (0.5 * done) / ART_TEXTS.size);
    }),
  );
  const artwork = new Artwork();
  for (const { name, part, most, shrinks } of LARGE_PICTURES) {
    const width = Math.min(most, Math.max(256, options.screenWidth * part));
    artwork.addCanvas(name, rasterise(find(pictures, name), width), { shrinks: shrinks === true });
    // Painting blocks the page, so it yields between two pictures.
    await nextTask();
  }
  onProgress(0.85);
  artwork.addCanvas('sunburst', sunburst(512), { shrinks: false });
  artwork.addSheet(sheetTiles(pictures, options.symbolSize));
  onProgress(1);
  return artwork;
}

function sheetTiles(pictures: ReadonlyMap<string, Drawable>, side: number): Painted[] {
  const tiles: Painted[] = [...lightsAndShades()];
  const lesser = Math.round(side * 0.6);
  for (const code of SYMBOLS) {
    // It is painted once, because drawing an SVG is slow and some symbols are drawn twenty times.
    const symbol = painted(find(pictures, `symbols/${code}`), side);
    tiles.push(picture(`symbols/${code}`, symbol, { width: side, height: side }));
    tiles.push(smeared(`smeared/${code}`, symbol, side));
    if (!isLit(code)) continue;
    tiles.push(picture(`symbols/${code}.glow`, find(pictures, `symbols/${code}.glow`), { width: side, height: side }));
    for (let frame = 0; frame < SHEEN_FRAMES; frame++) {
      tiles.push(sheen(`sheen/${code}/${frame}`, symbol, { side: lesser, part: (frame + 0.5) / SHEEN_FRAMES }));
    }
  }
  const effects = {
    coin: [96, 96],
    coinEdge: [96, 96],
    ember: [48, 48],
    flake: [48, 48],
    glow: [128, 128],
    spark: [72, 72],
  };
  for (const [name, [width = 0, height = 0]] of Object.entries(effects)) {
    tiles.push(picture(`fx/${name}`, find(pictures, `fx/${name}`), { width, height }));
  }
  return tiles;
}

function painted(drawable: Drawable, side: number): Drawable {
  const image = rasterise(drawable, side);
  return { image, width: image.width, height: image.height };
}

function find(pictures: ReadonlyMap<string, Drawable>, name: string): Drawable {
  const drawable = pictures.get(name);
  if (drawable === undefined) throw new Error(`There is no picture "${name}".`);
  return drawable;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
