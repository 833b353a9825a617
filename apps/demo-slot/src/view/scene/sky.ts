import {
  Container,
  GlProgram,
  Mesh,
  MeshGeometry,
  type RenderTexture,
  Shader,
  Sprite,
  UniformGroup,
  type WebGLRenderer,
} from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import { createTarget } from './backdrop.ts';

/** The aurora has no sharp edges, so a picture of this width can be enlarged. */
const PICTURE_WIDTH = 360;
const FRUGAL_WIDTH = 160;
/** The milliseconds between pictures of the slow sky: not every frame needs one. */
const INTERVAL_MS = 30;
const FRUGAL_INTERVAL_MS = 120;

/** Renders the sky into a small texture now and then, and shows it behind everything. */
export class Sky {
  readonly view = new Sprite();
  /** 0 in the base game, 1 in the free spins; it may be tweened. */
  fever = 0;
  private readonly renderer: WebGLRenderer;
  private readonly uniforms = new UniformGroup({
    uTime: { value: 0, type: 'f32' },
    uAspect: { value: 1, type: 'f32' },
    uFever: { value: 0, type: 'f32' },
  });
  private readonly quad: Mesh<MeshGeometry, Shader>;
  private readonly target = createTarget({ resolution: 1 });
  private readonly renderOptions: { container: Mesh<MeshGeometry, Shader>; target: RenderTexture; clear: boolean };
  private timeMs = 40_000;
  private sinceMs = Number.POSITIVE_INFINITY;
  private frugal = false;
  private width = 1;
  private height = 1;

  constructor(renderer: WebGLRenderer) {
    this.renderer = renderer;
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

  /** Draws fewer and smaller pictures, for machines that draw slowly. */
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

const STARS = 120;
const BRIGHT = 9;

/** Fixed stars twinkle. A few of them are large and have rays. */
export class Stars {
  readonly view = new Container();
  private readonly sprites: Sprite[] = [];
  private readonly base = new Float32Array(STARS);
  private readonly phase = new Float32Array(STARS);
  private readonly u = new Float32Array(STARS);
  private readonly v = new Float32Array(STARS);

  constructor(artwork: Artwork) {
    for (let star = 0; star < STARS; star++) {
      const bright = star < BRIGHT;
      const sprite = new Sprite(artwork.get(bright ? 'fx/spark' : 'dot'));
      sprite.anchor.set(0.5);
      sprite.blendMode = 'add';
      const brightness = Math.random() ** 2;
      sprite.scale.set(bright ? 0.14 + 0.12 * brightness : 0.05 + 0.11 * brightness);
      sprite.tint = star % 5 === 0 ? 0xbfd4ff : star % 7 === 0 ? 0xfff0d0 : 0xffffff;
      this.base[star] = 0.3 + 0.6 * brightness;
      this.phase[star] = Math.random() * Math.PI * 2;
      this.u[star] = Math.random();
      this.v[star] = Math.random() ** 1.3;
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
  }

  resize(width: number, horizonY: number): void {
    for (let star = 0; star < STARS; star++) {
      this.sprites[star]?.position.set((this.u[star] ?? 0) * width, (this.v[star] ?? 0) * horizonY * 0.8);
    }
  }

  update(timeMs: number): void {
    const time = timeMs / 1000;
    for (let star = 0; star < STARS; star++) {
      const sprite = this.sprites[star];
      if (sprite === undefined) continue;
      const phase = this.phase[star] ?? 0;
      sprite.alpha = (this.base[star] ?? 0) * (0.72 + 0.28 * Math.sin(time * (0.7 + (star % 5) * 0.35) + phase));
    }
  }
}

/** The shader of the sky with the aurora. */

export const SKY_VERTEX = `#version 300 es
in vec2 aPosition;
in vec2 aUV;
out vec2 vUv;
uniform mat3 uProjectionMatrix;
uniform mat3 uWorldTransformMatrix;
uniform mat3 uTransformMatrix;
void main() {
  mat3 transform = uProjectionMatrix * uWorldTransformMatrix * uTransformMatrix;
  gl_Position = vec4((transform * vec3(aPosition, 1.0)).xy, 0.0, 1.0);
  vUv = aUV;
}`;

/**
 * There are three curtains of light. Each hangs from a wandering line: sharp below, fading upwards,
 * folded into rays by noise that drifts along it. uFever is 0 in the quiet night and 1 in the free
 * spins (brighter, faster, violet and magenta above the green).
 */
const SKY_FRAGMENT = `#version 300 es
precision highp float;
in vec2 vUv;
out vec4 finalColor;
uniform float uTime;
uniform float uAspect;
uniform float uFever;

float hash(vec2 p) {
  p = fract(p * vec2(123.34, 456.21));
  p += dot(p, p + 45.32);
  return fract(p.x * p.y);
}
float noise(vec2 p) {
  vec2 i = floor(p);
  vec2 f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), f.x),
             mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), f.x), f.y);
}

vec3 curtain(vec2 p, float time, float seed, float foot, float height) {
  float fold = noise(vec2(p.x * 1.1 + seed * 7.0, time * 0.22 + seed)) - 0.5;
  float line = foot + 0.16 * sin(p.x * 1.35 + seed * 2.1 + time * 0.17) + 0.20 * fold
    + 0.03 * sin(p.x * 6.0 + time * 0.5 + seed);
  float above = p.y - line;
  float x = p.x + fold * 0.9;
  float rays = 0.35 + 0.65 * noise(vec2(x * 9.0 + seed * 3.0 + time * 0.35, time * 0.5));
  rays *= 0.55 + 0.45 * noise(vec2(x * 34.0 - time * 0.6, seed + time * 0.8));
  float drift = smoothstep(0.12, 0.75, noise(vec2(p.x * 0.8 - time * 0.12 + seed * 5.0, seed * 3.0 + time * 0.06)));
  float body = smoothstep(-0.012, 0.035, above) * exp(-max(above, 0.0) * (2.7 / height) * (1.35 - 0.5 * rays));
  float edge = exp(-abs(above - 0.02) * 46.0) * 0.5;
  float up = clamp(above / (0.46 * height), 0.0, 1.0);
  vec3 low = vec3(0.42, 1.0, 0.66);
  vec3 mid = vec3(0.12, 0.95, 0.76);
  vec3 high = mix(vec3(0.46, 0.26, 1.0), vec3(1.0, 0.26, 0.82), uFever * 0.6 + 0.16 * sin(seed * 4.0 + p.x * 2.0));
  vec3 colour = mix(mix(low, mid, smoothstep(0.0, 0.16, up)), high, smoothstep(mix(0.14, 0.04, uFever), mix(0.72, 0.5, uFever), up));
  return colour * (body * rays + edge * rays) * drift;
}

void main() {
  float y = 1.0 - vUv.y;
  vec2 p = vec2((vUv.x - 0.5) * uAspect + 0.5, y);
  float time = uTime * mix(0.42, 1.0, uFever);
  vec3 deep = mix(vec3(0.012, 0.020, 0.075), vec3(0.030, 0.012, 0.090), uFever);
  vec3 middle = mix(vec3(0.030, 0.062, 0.200), vec3(0.085, 0.040, 0.235), uFever);
  vec3 horizon = mix(vec3(0.115, 0.150, 0.370), vec3(0.270, 0.100, 0.400), uFever);
  vec3 sky = mix(mix(horizon, middle, smoothstep(0.14, 0.52, y)), deep, smoothstep(0.45, 1.0, y));
  sky += mix(vec3(0.05, 0.17, 0.20), vec3(0.30, 0.10, 0.38), uFever) * exp(-pow((y - 0.34) * 4.0, 2.0));
  vec3 light = curtain(p, time, 0.3, 0.50, 1.0);
  light += 0.72 * curtain(p * vec2(1.25, 1.0), time * 1.13 + 11.0, 1.7, 0.64, 0.8);
  light += 0.55 * curtain(p * vec2(0.8, 1.0), time * 0.83 + 31.0, 2.9, 0.38, 1.15);
  vec3 colour = sky + light * mix(1.35, 1.9, uFever);
  colour = 1.0 - exp(-colour * 1.25);
  colour += (hash(gl_FragCoord.xy + fract(uTime)) - 0.5) / 160.0;
  finalColor = vec4(colour, 1.0);
}`;
