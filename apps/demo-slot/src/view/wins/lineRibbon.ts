import { GlProgram, Mesh, MeshGeometry, Shader, UniformGroup } from 'pixi.js';
import { SKY_VERTEX } from '../scene/sky.ts';
import { createRibbonBuffers, fillRibbon, type RibbonBuffers } from './ribbon.ts';

/**
 * A brass core has the aurora flowing along it, and light around it. uProgress is the drawn part.
 */
const FRAGMENT = `#version 300 es
precision mediump float;
in vec2 vUv;
out vec4 finalColor;
uniform float uProgress;
uniform float uTime;
uniform float uLength;
uniform float uAlpha;
uniform float uHue;
void main() {
  float across = abs(vUv.y - 0.5) * 2.0;
  float along = vUv.x;
  float flow = along * uLength / 260.0 - uTime * 1.6 + uHue * 6.28;
  vec3 aurora = mix(vec3(0.18, 0.95, 0.76), vec3(0.62, 0.36, 1.0), 0.5 + 0.5 * sin(flow));
  aurora = mix(aurora, vec3(1.0, 0.42, 0.86), 0.35 * (0.5 + 0.5 * sin(flow * 0.7 + 2.0)));
  float core = 1.0 - smoothstep(0.13, 0.19, across);
  float inner = 1.0 - smoothstep(0.045, 0.10, across);
  float outline = (1.0 - smoothstep(0.20, 0.27, across)) * 0.85;
  float glow = exp(-across * across * 7.0) * (1.0 - smoothstep(0.7, 1.0, across));
  vec3 brass = mix(vec3(0.84, 0.56, 0.16), vec3(1.0, 0.88, 0.52), inner);
  vec3 colour = mix(brass, vec3(1.0, 0.99, 0.90), inner * 0.85);
  float drawn = 1.0 - smoothstep(uProgress - 0.006, uProgress + 0.006, along);
  float head = exp(-abs(along - uProgress) * uLength / 34.0) * step(0.001, uProgress) * (1.0 - smoothstep(0.98, 1.06, uProgress));
  vec3 light = aurora * glow * (0.85 + 0.15 * sin(flow * 2.0)) * drawn;
  float solid = max(core, outline) * drawn;
  vec3 body = mix(vec3(0.10, 0.05, 0.02), colour, core) * solid;
  vec3 spark = vec3(1.0, 0.95, 0.75) * head * (1.0 - across) * 1.4;
  finalColor = vec4((light * (1.0 - solid) + body + spark) * uAlpha, solid * uAlpha);
}`;

const HALF_WIDTH = 30;

export class LineRibbon {
  readonly view: Mesh<MeshGeometry, Shader>;
  private readonly buffers: RibbonBuffers = createRibbonBuffers();
  private readonly geometry: MeshGeometry;
  private readonly uniforms = new UniformGroup({
    uProgress: { value: 0, type: 'f32' },
    uTime: { value: 0, type: 'f32' },
    uLength: { value: 1, type: 'f32' },
    uAlpha: { value: 1, type: 'f32' },
    uHue: { value: 0, type: 'f32' },
  });

  constructor() {
    this.geometry = new MeshGeometry(this.buffers);
    const shader = new Shader({
      glProgram: GlProgram.from({ vertex: SKY_VERTEX, fragment: FRAGMENT, name: 'ribbon' }),
      resources: { ribbon: this.uniforms },
    });
    this.view = new Mesh({ geometry: this.geometry, shader });
    this.view.visible = false;
  }

  /** Returns the share of its way that is drawn, 0 to 1. */
  get progress(): number {
    return this.uniforms.uniforms.uProgress;
  }
  set progress(progress: number) {
    this.uniforms.uniforms.uProgress = progress * 1.08;
  }
  get strength(): number {
    return this.uniforms.uniforms.uAlpha;
  }
  set strength(strength: number) {
    this.uniforms.uniforms.uAlpha = strength;
    this.view.visible = strength > 0.01;
  }

  trace(xs: readonly number[], ys: readonly number[], hue: number): void {
    const length = fillRibbon(this.buffers, { xs, ys, halfWidth: HALF_WIDTH });
    this.uniforms.uniforms.uLength = length;
    this.uniforms.uniforms.uHue = hue;
    this.geometry.getBuffer('aPosition').update();
    this.geometry.getBuffer('aUV').update();
  }

  update(timeMs: number): void {
    if (this.view.visible) this.uniforms.uniforms.uTime = (timeMs % 600_000) / 1000;
  }
}
