import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packShelves } from './tiles.ts';

const tile = fc.record({ width: fc.integer({ min: 1, max: 300 }), height: fc.integer({ min: 1, max: 300 }) });

it('places every tile on the sheet, none over another', () => {
  fc.assert(
    fc.property(fc.array(tile, { maxLength: 40 }), (tiles) => {
      const { places, height } = packShelves(tiles, 512);
      const boxes = tiles.map((one, index) => ({ ...one, ...(places[index] ?? { x: -1, y: -1 }) }));
      boxes.forEach((a, first) => {
        expect(a.x).toBeGreaterThanOrEqual(0);
        expect(a.x + a.width).toBeLessThanOrEqual(512);
        expect(a.y + a.height).toBeLessThanOrEqual(height);
        for (const b of boxes.slice(first + 1)) {
          const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
          expect(apart).toBe(true);
        }
      });
    }),
  );
});

it('refuses a tile that is wider than the sheet', () => {
  expect(() => packShelves([{ width: 600, height: 1 }], 512)).toThrow(RangeError);
});
