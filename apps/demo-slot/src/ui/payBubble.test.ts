import { describe, expect, it } from 'vitest';
import { bubblePlace } from './payBubble.tsx';

const SCREENS = {
  desktop: { width: 1280, height: 720, symbol: 150 },
  phone: { width: 360, height: 640, symbol: 66 },
  turned: { width: 844, height: 390, symbol: 100 },
};

describe.each(Object.entries(SCREENS))('on a %s', (_, { symbol, ...screen }) => {
  const size = { width: 230, height: 130 };
  const places = Array.from({ length: 15 }, (_, place) => ({
    x: screen.width / 2 + ((place % 5) - 2.5) * symbol,
    y: screen.height / 2 + (Math.floor(place / 5) - 1.5) * symbol,
    width: symbol,
    height: symbol,
  }));

  it.each(places)('the bubble of a symbol at $x, $y is on the screen and beside the symbol', (box) => {
    const { left, top } = bubblePlace({ box, size, screen });
    expect(left).toBeGreaterThanOrEqual(0);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(left + size.width).toBeLessThanOrEqual(screen.width);
    expect(top + size.height).toBeLessThanOrEqual(screen.height);
    const isBeside = left >= box.x + box.width || left + size.width <= box.x;
    const isAboveOrBelow = top >= box.y + box.height || top + size.height <= box.y;
    expect(isBeside || isAboveOrBelow).toBe(true);
  });
});
