import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MathMode, openMath, type Random64 } from '@roundhouse/math';
import { afterAll, describe, expect, it } from 'vitest';
import { SAMPLE_GAME, temporaryFolder } from '../../support/roundhouse.ts';

/**
 * Where a mode has no more tickets, each is looked at; else the first and last one of each book.
 */
const EACH_TICKET = 2n ** 21n;

/**
 * The environment may name more folders of published files: TICKET_FOLDERS=a/publish_files:b/math.
 */
const MORE = (process.env.TICKET_FOLDERS ?? '').split(path.delimiter).filter((folder) => folder !== '');
const FOLDERS: Readonly<Record<string, string>> = {
  'the sample game': path.join(SAMPLE_GAME, 'math'),
  'the demo slot': fileURLToPath(new URL('../../../pages/demo-slot/math', import.meta.url)),
  ...Object.fromEntries(MORE.map((folder) => [folder, folder])),
};

const opened: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(opened.map((close) => close())));

async function modesOf(folder: string): Promise<MathMode[]> {
  const math = await openMath({ folder, storeFolder: await temporaryFolder('tickets') });
  if (!math.ok) throw new Error(JSON.stringify(math.issues));
  opened.push(() => math.value.close());
  return [...math.value.modes.values()];
}

/** Returns the position that the certified draw gives for random bits that are this ticket. */
function drawnBy(mode: MathMode, ticket: bigint): number {
  let asked = 0;
  const random: Random64 = (into) => {
    asked += 1;
    into[0] = Number(ticket >> 32n);
    into[1] = Number(ticket & 0xffffffffn);
  };
  const { position } = mode.draw(random);
  if (asked !== 1) throw new Error(`the draw rejected ticket ${ticket}`);
  return position;
}

describe.each(Object.entries(FOLDERS))('published math: %s', (_, folder) => {
  it('a book has as many tickets as its weight, and the certified draw gives it the same ones', async () => {
    for (const mode of await modesOf(folder)) {
      const wrong: unknown[] = [];
      let first = 0n;
      const look = (ticket: bigint, position: number) => {
        const [fair, certified] = [mode.at(ticket).position, drawnBy(mode, ticket)];
        if (fair !== position || certified !== position)
          wrong.push({ mode: mode.key, ticket, position, fair, certified });
      };
      for (const { position, weight } of mode.books()) {
        if (weight === 0n) continue;
        const last = first + weight - 1n;
        if (mode.totalWeight <= EACH_TICKET)
          for (let ticket = first; ticket <= last; ticket += 1n) look(ticket, position);
        else for (const ticket of [first, last]) look(ticket, position);
        first = last + 1n;
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      expect(first).toBe(mode.totalWeight);
      for (const ticket of [-1n, first, 2n ** 64n]) expect(() => mode.at(ticket)).toThrow(RangeError);
    }
  });
});
