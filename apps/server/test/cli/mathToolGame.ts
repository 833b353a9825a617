import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath, type WeightedBook } from '@roundhouse/math';

/** The math tool numbers books from 1. */
export const PAYS = 2;

const BOOKS = [0, 150].map((payoutMultiplier, index): WeightedBook => {
  const events = [{ index: 0, type: 'finalWin', amount: payoutMultiplier }];
  return { id: index + 1, payoutMultiplier, events, weight: 1 };
});

/**
 * Writes what the math tool leaves behind: `library/publish_files/` with lower-case mode names, and
 * `library/configs/config.json`. Returns where the published files are.
 */
export async function writeMathToolGame(folder: string, gameID: string): Promise<string> {
  const published = path.join(folder, 'library', 'publish_files');
  const configs = path.join(folder, 'library', 'configs');
  for (const each of [published, configs]) await mkdir(each, { recursive: true });
  const modes = Object.entries({ base: 1, bonus: 100 });
  await publishMath(
    published,
    modes.map(([name, cost]) => ({ name, cost, books: BOOKS })),
  );
  const bookShelfConfig = [
    { name: 'base', cost: 1, feature: true, autoEndRoundDisabled: false, buyBonus: false },
    { name: 'bonus', cost: 100, feature: false, autoEndRoundDisabled: true, buyBonus: true },
  ];
  await writeFile(
    path.join(configs, 'config.json'),
    JSON.stringify({ workingName: 'From the Tool', gameID, rtp: 75, bookShelfConfig }),
  );
  return published;
}
