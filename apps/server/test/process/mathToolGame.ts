import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publishMath, type WeightedBook } from '@roundhouse/math';

/** Ids of books as the math tool numbers them, from 1. */
export const LOSES = 1;
export const PAYS = 2;

function* books(salt: string): Generator<WeightedBook> {
  for (const [id, payoutMultiplier] of [
    [LOSES, 0],
    [PAYS, 150],
  ] as const) {
    yield { id, payoutMultiplier, events: [{ index: 0, type: 'finalWin', amount: payoutMultiplier, salt }], weight: 1 };
  }
}

/**
 * What the math tool leaves behind: `library/publish_files/` with lower-case mode names, and
 * `library/configs/config.json`. Rounds of base that pay nothing close themselves, those of bonus
 * do not. `salt` makes the math another one. Answers where the published files are.
 */
export async function writeMathToolGame(folder: string, { gameID, salt = '' }: { gameID: string; salt?: string }) {
  const published = path.join(folder, 'library', 'publish_files');
  const configs = path.join(folder, 'library', 'configs');
  for (const each of [published, configs]) await mkdir(each, { recursive: true });
  await publishMath(published, [
    { name: 'base', cost: 1, books: books(salt) },
    { name: 'bonus', cost: 100, books: books(salt) },
  ]);
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

/**
 * Math that takes seconds to load: one mode whose books are large and hardly get smaller when they
 * are compressed.
 */
export async function writeLargeGame(folder: string, { books: bookCount }: { books: number }): Promise<void> {
  function* large(): Generator<WeightedBook> {
    let state = 1;
    for (let id = 1; id <= bookCount; id += 1) {
      const board = Array.from({ length: 150 }, () => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 10_000;
      });
      yield { id, payoutMultiplier: id % 2 === 0 ? 180 : 0, events: [{ index: 0, type: 'reveal', board }], weight: 1 };
    }
  }
  await publishMath(folder, [{ name: 'base', cost: 1, books: large() }]);
}
