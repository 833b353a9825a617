import {
  GlProgram,
  Mesh,
  MeshGeometry,
  RenderTexture,
  Shader,
  Sprite,
  UniformGroup,
  type WebGLRenderer,
} from 'pixi.js';
import { SKY_FRAGMENT, SKY_VERTEX } from './auroraShader.ts';

/**
 * The aurora has no sharp edge anywhere: a picture this wide, drawn large, looks the same as a full
 * one.
 */
const PICTURE_WIDTH = 360;
const FRUGAL_WIDTH = 160;
/**
 * Milliseconds between two pictures of the sky: it moves slowly, so not every frame needs a new
 * one.
 */
const INTERVAL_MS = 30;
const FRUGAL_INTERVAL_MS = 120;

/** Renders the sky into a small texture now and then, and shows it behind everything. */
export class Sky {
  readonly view = new Sprite();
  /** 0 in the base game, 1 in the free spins; may be tweened. */
  fever = 0;
  private readonly renderer: WebGLRenderer;
  private readonly uniforms = new UniformGroup({
    uTime: { value: 0, type: 'f32' },
    uAspect: { value: 1, type: 'f32' },
    uFever: { value: 0, type: 'f32' },
  });
  private readonly quad: Mesh<MeshGeometry, Shader>;
  private readonly target: RenderTexture;
  private readonly renderOptions: { container: Mesh<MeshGeometry, Shader>; target: RenderTexture; clear: boolean };
  private timeMs = 40_000;
  private sinceMs = Number.POSITIVE_INFINITY;
  private frugal = false;
  private width = 1;
  private height = 1;

  constructor(renderer: WebGLRenderer) {
    this.renderer = renderer;
    this.target = RenderTexture.create({ width: PICTURE_WIDTH, height: PICTURE_WIDTH, resolution: 1 });
    const geometry = new MeshGeometry({
      positions: new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]),
      uvs: new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]),
      indices: new Uint32Array([0, 1, 2, 0, 2, 3]),
    });
    const shader = new Shader({
      glProgram: GlProgram.from({ vertex: SKY_VERTEX, fragment: SKY_FRAGMENT, name: 'sky' }),
      resources: { sky: this.uniforms },
    });
    this.quad = new Mesh({ geometry, shader });
    this.renderOptions = { container: this.quad, target: this.target, clear: false };
    this.view.texture = this.target;
  }

  /** Fewer and smaller pictures, for machines that draw slowly. */
  setFrugal(frugal: boolean): void {
    if (this.frugal === frugal) return;
    this.frugal = frugal;
    this.resize(this.width, this.height);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    const across = Math.min(this.frugal ? FRUGAL_WIDTH : PICTURE_WIDTH, width);
    const down = Math.max(1, Math.round((across * height) / width));
    this.target.resize(across, down);
    this.quad.scale.set(across, down);
    this.uniforms.uniforms.uAspect = Math.max(0.75, width / height);
    this.view.setSize(width, height);
    this.sinceMs = Number.POSITIVE_INFINITY;
  }

  update(deltaMs: number): void {
    this.timeMs += deltaMs;
    this.sinceMs += deltaMs;
    if (this.sinceMs < (this.frugal ? FRUGAL_INTERVAL_MS : INTERVAL_MS)) return;
    this.sinceMs = 0;
    this.uniforms.uniforms.uTime = this.timeMs / 1000;
    this.uniforms.uniforms.uFever = this.fever;
    this.renderer.render(this.renderOptions);
  }

  destroy(): void {
    this.quad.destroy();
    this.target.destroy(true);
  }
}
