import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openVerifierInChromium } from '../support/verifier.ts';

const { FAIR_FOLDER = '' } = process.env;

const filesOf = (name: string) => {
  const folder = path.join(FAIR_FOLDER, name);
  return readdirSync(folder).map((file) => path.join(folder, file));
};

test('the verifier page finds no mismatch in the exports, and one in each that was changed', async () => {
  const verifier = await openVerifierInChromium();
  const startedMs = performance.now();
  let rounds = 0;
  for (const file of filesOf('exports')) {
    const { nonces } = JSON.parse(readFileSync(file, 'utf8'));
    // A server seed that no round has met: there is nothing to check.
    if (nonces === 0) continue;
    expect(await verifier.verify(file), file).toMatchObject({ ok: true, rounds: nonces, issueCount: 0 });
    rounds += nonces;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  console.log(`\n${rounds} rounds verified by the page in Chromium in ${seconds.toFixed(1)} s: 0 mismatches, no gaps`);
  const tampered = filesOf('tampered');
  for (const file of tampered) expect((await verifier.verify(file)).ok, file).toBe(false);
  console.log(`${tampered.length} changed exports: each was found by the page`);
  await verifier.close();
});
