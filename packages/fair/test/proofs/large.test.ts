import { expect, it } from 'vitest';
import { verify } from '../../src/index.ts';
import { makeDocument, makeTable } from '../support/makeDocument.ts';

const ROUNDS = 100_000;

it('verifies 100,000 rounds of 70,000 rows in a few seconds, with progress', () => {
  const document = makeDocument({
    serverSeed: Buffer.alloc(32, 1),
    clientSeeds: [{ from: 0, clientSeed: 'large' }],
    tables: [makeTable(200_003)],
    plays: Array.from({ length: ROUNDS }, () => ({ table: 0, amount: 1_000_000 })),
  });
  expect(document.tables[0]?.drawn.length).toBeGreaterThan(70_000);
  const done: number[] = [];
  const before = process.cpuUsage();
  const report = verify(document, { onProgress: (rounds) => done.push(rounds) });
  const seconds = process.cpuUsage(before).user / 1e6;
  console.info(`${ROUNDS} rounds: ${seconds.toFixed(1)} s`);
  expect(report).toMatchObject({ ok: true, rounds: ROUNDS });
  expect(done).toEqual(Array.from({ length: 101 }, (_, thousand) => thousand * 1000));
  // These are seconds of this process, so that other tests do not count.
  expect(seconds).toBeLessThan(10);
});
