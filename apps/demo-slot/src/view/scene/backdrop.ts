import { Container, RenderTexture, Sprite, type Texture, type WebGLRenderer } from 'pixi.js';

/** One pixel per CSS pixel is enough for the distant landscape. */
const RESOLUTION = 1;
const FRUGAL_RESOLUTION = 0.7;
/** The milliseconds between two pictures while only the sky moves. */
const CALM_INTERVAL_MS = 33;
const FRUGAL_CALM_INTERVAL_MS = 700;
const FRUGAL_RUSH_INTERVAL_MS = 130;

/**
 * Makes a texture to draw into. Without `dynamic` a sprite that shows it would keep the size that
 * the texture had at first: in a window that is resized the landscape would fill a corner only.
 */
export function createTarget({ resolution }: { resolution: number }): RenderTexture {
  return RenderTexture.create({ width: 16, height: 16, resolution, dynamic: true });
}

/**
 * Draws the landscape's layers into one texture, only as often as needed. Drawing eleven layers in
 * every frame would cost more than the rest of the game.
 */
export class Backdrop {
  readonly view = new Sprite();
  private readonly renderer: WebGLRenderer;
  private readonly target = createTarget({ resolution: RESOLUTION });
  private readonly renderOptions: { container: Container; target: RenderTexture; clear: boolean };
  private sinceMs = Number.POSITIVE_INFINITY;
  private frugal = false;
  private width = 16;
  private height = 16;

  constructor(renderer: WebGLRenderer, layers: Container) {
    this.renderer = renderer;
    this.renderOptions = { container: layers, target: this.target, clear: true };
    this.view.texture = this.target;
    // It covers everything, so nothing below it needs blending.
    this.view.blendMode = 'none';
  }

  setFrugal(frugal: boolean): void {
    this.frugal = frugal;
    this.resize(this.width, this.height);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.target.resize(width, height, this.frugal ? FRUGAL_RESOLUTION : RESOLUTION);
    this.view.setSize(width, height);
    this.sinceMs = Number.POSITIVE_INFINITY;
  }

  /** Returns true when a new picture is due. Then the caller places the layers and calls `draw`. */
  due(deltaMs: number, rushing: boolean): boolean {
    this.sinceMs += deltaMs;
    const calm = this.frugal ? FRUGAL_CALM_INTERVAL_MS : CALM_INTERVAL_MS;
    const rush = this.frugal ? FRUGAL_RUSH_INTERVAL_MS : 0;
    return this.sinceMs >= (rushing ? rush : calm);
  }

  draw(): void {
    this.sinceMs = 0;
    this.renderer.render(this.renderOptions);
  }

  destroy(): void {
    this.target.destroy(true);
  }
}

const MOST_COPIES = 5;

/** Shows a picture that repeats sideways: mountains, trees, rails. */
export class Strip {
  readonly view = new Container();
  /** The CSS pixels that it has moved to the left. */
  offset = 0;
  private readonly copies: Sprite[] = [];
  private readonly texture: Texture;
  private copyWidth = 1;
  private seam = 0;

  constructor(texture: Texture) {
    this.texture = texture;
    for (let copy = 0; copy < MOST_COPIES; copy++) {
      const sprite = new Sprite(texture);
      this.copies.push(sprite);
      this.view.addChild(sprite);
    }
  }

  set tint(colour: number) {
    for (const sprite of this.copies) sprite.tint = colour;
  }

  /** `height` is the picture's in CSS pixels; its upper edge lies at `y`. */
  layout(place: { y: number; height: number; width: number }): void {
    this.copyWidth = Math.max(
      (place.height * this.texture.width) / this.texture.height,
      place.width / (MOST_COPIES - 2),
    );
    // The pieces overlap by half a pixel, because edges that only touch show a line between them.
    this.seam = 0.5;
    for (const sprite of this.copies) sprite.setSize(this.copyWidth + this.seam, place.height);
    this.view.y = place.y;
    for (let copy = 0; copy < this.copies.length; copy++) {
      const sprite = this.copies[copy];
      if (sprite !== undefined) sprite.visible = (copy - 1) * this.copyWidth < place.width;
    }
    this.place();
  }

  move(distance: number): void {
    this.offset = (this.offset + distance) % this.copyWidth;
    this.place();
  }

  private place(): void {
    for (let copy = 0; copy < this.copies.length; copy++) {
      const sprite = this.copies[copy];
      if (sprite !== undefined) sprite.x = copy * this.copyWidth - this.offset;
    }
  }
}
