import { type Container, RenderTexture, Sprite, type WebGLRenderer } from 'pixi.js';

/**
 * The landscape lies in the distance: on a screen of two pixels per CSS pixel it needs only one.
 */
const RESOLUTION = 1;
const FRUGAL_RESOLUTION = 0.7;
/** Milliseconds between two pictures while only the sky moves. */
const CALM_INTERVAL_MS = 33;
const FRUGAL_CALM_INTERVAL_MS = 700;
const FRUGAL_RUSH_INTERVAL_MS = 130;

/**
 * Draws a container of many layers as one: into a texture, anew only as often as it needs. Eleven
 * layers one over the other would cost every frame more than all the rest of the game.
 */
export class Backdrop {
  readonly view = new Sprite();
  private readonly renderer: WebGLRenderer;
  private readonly target = RenderTexture.create({ width: 16, height: 16, resolution: RESOLUTION });
  private readonly renderOptions: { container: Container; target: RenderTexture; clear: boolean };
  private sinceMs = Number.POSITIVE_INFINITY;
  private frugal = false;
  private width = 16;
  private height = 16;

  constructor(renderer: WebGLRenderer, layers: Container) {
    this.renderer = renderer;
    this.renderOptions = { container: layers, target: this.target, clear: true };
    this.view.texture = this.target;
    // It covers everything: nothing below it needs to be mixed in.
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

  /**
   * True when this frame needs a new picture; the layers are to be placed, then `draw` is to be
   * called.
   */
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
