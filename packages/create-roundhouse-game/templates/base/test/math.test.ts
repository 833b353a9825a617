import { describe, expect, it } from 'vitest';
import { MODES } from '../math/modes.ts';
import { WIN_CAP } from '../math/rules.ts';
import { booksOf, openMode } from './published.ts';

describe.each(Object.entries(MODES))('the published mode %s', (name, { cost, rtp, hitRate, maxWinOneIn }) => {
  it('has the numbers of math/modes.ts, which the game shows', async () => {
    const mode = await openMode(name);
    const published = mode.statistics();
    expect(Number(mode.cost)).toBe(cost);
    expect(published.rtp).toBeCloseTo(rtp, 9);
    expect(published.hitRate).toBeCloseTo(hitRate, 6);
    expect(Number(published.maxWin)).toBe(WIN_CAP);
    expect(published.maxWinOneIn / maxWinOneIn).toBeCloseTo(1, 6);
  });

  it('pays in every book what its last event says', async () => {
    for (const { pays, events } of booksOf(await openMode(name))) {
      expect(events.at(-1)).toMatchObject({ type: 'finalWin', amount: pays });
    }
  });
});
