import { describe, expect, it } from 'vitest';
import { REELS, ROWS } from '../../rules.ts';
import type { Rect, StageSize } from '../game/ports.ts';
import { type BoardLayout, layoutBoard, symbolAt, symbolTextureSize } from './boardLayout.ts';

/** These screens have what the bars of buttons leave. */
const SCREENS: Record<string, StageSize> = {
  desktop: { width: 1280, height: 720, free: { x: 0, y: 0, width: 1280, height: 620 } },
  large: { width: 1920, height: 1080, free: { x: 0, y: 40, width: 1920, height: 930 } },
  phone: { width: 390, height: 844, free: { x: 0, y: 44, width: 390, height: 580 } },
  smallPhone: { width: 320, height: 568, free: { x: 0, y: 40, width: 320, height: 340 } },
  phoneTurned: { width: 844, height: 390, free: { x: 60, y: 0, width: 700, height: 330 } },
  popOut: { width: 400, height: 225, free: { x: 0, y: 0, width: 400, height: 180 } },
  popOutLarge: { width: 640, height: 360, free: { x: 0, y: 0, width: 640, height: 300 } },
  tablet: { width: 768, height: 1024, free: { x: 0, y: 40, width: 768, height: 800 } },
};

function inside(inner: Rect, outer: Rect): boolean {
  const slack = 0.01;
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.width <= outer.x + outer.width + slack &&
    inner.y + inner.height <= outer.y + outer.height + slack
  );
}

describe.each(Object.entries(SCREENS))('on a %s', (_, size) => {
  const layout: BoardLayout = layoutBoard(size);

  it('keeps frame, logo and firebox inside the free rectangle', () => {
    expect(inside(layout.frame, size.free)).toBe(true);
    expect(inside(layout.gauge, size.free)).toBe(true);
    if (layout.logo !== undefined) expect(inside(layout.logo.rect, size.free)).toBe(true);
  });

  it('finds each symbol under the middle of its square, and none outside', () => {
    const places = Array.from({ length: REELS * ROWS }, (_, place) => ({ reel: place % REELS, row: place % ROWS }));
    const { x, y, width, height } = layout.window;
    const [middleX, middleY] = [x + width / 2, y + height / 2];
    for (const { reel, row } of places) {
      const point = {
        x: middleX + (reel - 2) * layout.columnPitch + 0.4 * layout.symbolSize,
        y: middleY + (row - 1) * layout.rowPitch - 0.4 * layout.symbolSize,
      };
      const found = symbolAt(layout, point);
      expect(found).toMatchObject({ reel, row });
      expect(inside({ ...point, width: 0, height: 0 }, found?.box ?? layout.frame)).toBe(true);
    }
    expect(symbolAt(layout, { x: layout.frame.x, y: middleY })).toBeUndefined();
    expect(symbolAt(layout, { x: middleX, y: y + height + 1 })).toBeUndefined();
  });

  it('has room for five columns and three rows of symbols in the window', () => {
    expect(layout.window.width).toBeGreaterThanOrEqual(5 * layout.columnPitch);
    expect(layout.window.height).toBeGreaterThanOrEqual(3 * layout.rowPitch);
    expect(layout.columnPitch).toBeGreaterThanOrEqual(layout.symbolSize);
    expect(layout.rowPitch).toBeGreaterThanOrEqual(layout.symbolSize);
  });

  it('uses the width or the height that there is', () => {
    const top = layout.logo?.rect.y ?? layout.frame.y;
    const bottom = layout.frame.y + layout.frame.height;
    const acrossUsed = layout.frame.width / size.free.width;
    const downUsed = (bottom - top) / size.free.height;
    expect(Math.max(acrossUsed, downUsed)).toBeGreaterThan(0.9);
  });
});

it('chooses the layout by the free rectangle', () => {
  const kinds = Object.fromEntries(Object.entries(SCREENS).map(([name, size]) => [name, layoutBoard(size).kind]));
  expect(kinds).toEqual({
    desktop: 'wide',
    large: 'wide',
    phone: 'portrait',
    smallPhone: 'portrait',
    phoneTurned: 'landscape',
    popOut: 'tiny',
    popOutLarge: 'landscape',
    tablet: 'portrait',
  });
});

it('drops the logo where it would cost the reels their size', () => {
  const withLogo = Object.entries(SCREENS).filter(([, size]) => layoutBoard(size).logo !== undefined);
  expect(withLogo.map(([name]) => name)).toEqual(['desktop', 'large', 'phone', 'smallPhone', 'tablet']);
});

it('chooses textures for the screen, sharper for more pixels, the same whichever way it is held', () => {
  const phone = symbolTextureSize({ width: 390, height: 844, resolution: 2 });
  expect(symbolTextureSize({ width: 844, height: 390, resolution: 2 })).toBe(phone);
  expect(phone).toBeGreaterThanOrEqual(144);
  expect(symbolTextureSize({ width: 1920, height: 1080, resolution: 1 })).toBeGreaterThan(
    symbolTextureSize({ width: 1280, height: 720, resolution: 1 }),
  );
  expect(symbolTextureSize({ width: 3840, height: 2160, resolution: 2 })).toBe(320);
});
