import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MathMode, openMath } from '@roundhouse/math';
import { onTestFinished } from 'vitest';
import type { BookEvent } from '../math/rules.ts';

/** Opens a mode of the math that `npm run build` made, read and verified as the server does it. */
export async function openMode(name: string): Promise<MathMode> {
  const storeFolder = await mkdtemp(join(tmpdir(), 'math-test-'));
  onTestFinished(() => rm(storeFolder, { recursive: true, force: true }));
  const opened = await openMath({ folder: join('dist', 'math'), storeFolder });
  if (!opened.ok) throw new Error(`npm run build makes dist/math first: ${JSON.stringify(opened.issues)}`);
  onTestFinished(() => opened.value.close());
  const mode = opened.value.modes.get(name);
  if (mode === undefined) throw new Error(`there is no mode ${name}`);
  return mode;
}

/** Returns all books of a mode: what each pays, in hundredths of the bet, and its events. */
export function* booksOf(mode: MathMode): Generator<{ pays: number; events: BookEvent[] }> {
  for (const { position, payoutMultiplier } of mode.books()) {
    const events = JSON.parse(mode.readEvents(position).toString()) as BookEvent[];
    yield { pays: Number(payoutMultiplier), events };
  }
}
