import type { Page } from '@playwright/test';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    glMeter: {
      /** Draw calls since the page was opened. */
      draws: number;
      /** The most draw calls of one frame since the last reading; `frames` drew. */
      most: number;
      frames: number;
      textureBytes: () => number;
    };
  }
}

/**
 * Counts what the page asks of WebGL 2. Before the page is opened. Textures are taken for four
 * bytes a texel, because the browser hides how it stores them.
 */
export async function meterGl(page: Page): Promise<GlMeter> {
  await page.addInitScript(() => {
    const textures = new Map<unknown, number>();
    const bound = new Map<number, unknown>();
    let unit = 0;
    window.glMeter = {
      draws: 0,
      most: 0,
      frames: 0,
      textureBytes: () => [...textures.values()].reduce((sum, bytes) => sum + bytes, 0),
    };
    const meter = window.glMeter;
    const gl = WebGL2RenderingContext.prototype;
    const watch = (name: keyof WebGL2RenderingContext, see: (args: unknown[]) => void) => {
      const real = Reflect.get(gl, name) as (...args: unknown[]) => unknown;
      Reflect.set(gl, name, function (this: WebGL2RenderingContext, ...args: unknown[]) {
        see(args);
        return real.apply(this, args);
      });
    };
    for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced'] as const) {
      watch(name, () => {
        meter.draws += 1;
      });
    }
    const store = (level: number, width: number, height: number) => {
      const texture = bound.get(unit);
      const before = level === 0 ? 0 : (textures.get(texture) ?? 0);
      textures.set(texture, before + width * height * 4);
    };
    watch('activeTexture', ([place]) => {
      unit = Number(place);
    });
    watch('bindTexture', ([, texture]) => bound.set(unit, texture));
    watch('deleteTexture', ([texture]) => textures.delete(texture));
    watch('generateMipmap', () => {
      const texture = bound.get(unit);
      textures.set(texture, ((textures.get(texture) ?? 0) * 4) / 3);
    });
    watch('texStorage2D', ([, , , width, height]) => store(0, Number(width), Number(height)));
    watch('texImage2D', (args) => {
      const source = args[5] as { width: number; height: number };
      if (args.length > 6) store(Number(args[1]), Number(args[3]), Number(args[4]));
      else store(Number(args[1]), source.width, source.height);
    });
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (callback) =>
      requestAnimationFrame((timeMs) => {
        const before = meter.draws;
        callback(timeMs);
        if (meter.draws === before) return;
        meter.frames += 1;
        meter.most = Math.max(meter.most, meter.draws - before);
      });
  });
  return new GlMeter(page);
}

export class GlMeter {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Returns the most draw calls in one of the next frames; waits until `frames` are drawn. */
  async drawsPerFrame(frames: number): Promise<number> {
    await this.#page.evaluate(() => Object.assign(window.glMeter, { most: 0, frames: 0 }));
    await this.#page.waitForFunction((wanted) => window.glMeter.frames >= wanted, frames, { polling: 50 });
    return this.#page.evaluate(() => window.glMeter.most);
  }

  textureBytes(): Promise<number> {
    return this.#page.evaluate(() => window.glMeter.textureBytes());
  }
}
