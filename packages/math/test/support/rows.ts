import { rm } from 'node:fs/promises';
import { openMath } from '../../src/read/openMath.ts';
import type { MathMode } from '../../src/types.ts';
import { temporaryFolder, writeRawMath } from './folders.ts';

/** The events of the book are `["<events>"]`. */
export type RawRow = { id: number; weight: bigint; payout: bigint; events: string };

/** Publishes the rows as the mode BASE. */
export async function writeRows(rows: readonly RawRow[]): Promise<{ folder: string; storeFolder: string }> {
  const table = rows.map(({ id, weight, payout }) => `${id},${weight},${payout}\n`).join('');
  const books = rows.map(
    ({ id, payout, events }) => `{"id":${id},"payoutMultiplier":${payout},"events":${JSON.stringify([events])}}\n`,
  );
  return { folder: await writeRawMath({ table, books: books.join('') }), storeFolder: await temporaryFolder() };
}

/** Opens the rows as a mode for `use`, and removes it. */
export async function openMode(rows: readonly RawRow[], use: (mode: MathMode) => Promise<void>): Promise<void> {
  const { folder, storeFolder } = await writeRows(rows);
  const outcome = await openMath({ folder, storeFolder });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.issues));
  try {
    await use(outcome.value.modes.get('BASE') as MathMode);
  } finally {
    await outcome.value.close();
    for (const each of [folder, storeFolder]) await rm(each, { recursive: true, force: true });
  }
}
