import { Container, type WebGLRenderer } from 'pixi.js';
import { expect, it, vi } from 'vitest';
import { Backdrop } from './backdrop.ts';

// Pixi asks the browser for its name as soon as it is loaded.
vi.hoisted(() => vi.stubGlobal('navigator', { userAgent: '' }));

it('the landscape covers the picture at every size, also after a phone is turned', () => {
  const backdrop = new Backdrop({} as WebGLRenderer, new Container());
  const sizes = [
    [360, 640],
    [640, 360],
    [1920, 1080],
  ] as const;
  for (const [width, height] of sizes) {
    backdrop.resize(width, height);
    const { bounds, scale } = backdrop.view;
    expect([bounds.maxX * scale.x, bounds.maxY * scale.y]).toEqual([width, height]);
  }
});
