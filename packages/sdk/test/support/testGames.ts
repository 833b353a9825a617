import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Tests force these books; every mode has these three. */
export const BOOK = { pays0: 1, pays150: 2, pays20: 3 } as const;

const PAYOUTS: readonly (readonly [id: number, payoutMultiplier: number])[] = [
  [BOOK.pays0, 0],
  [BOOK.pays150, 150],
  [BOOK.pays20, 20],
];

/** BASE stays open until end-round; AUTO closes what pays nothing; BONUS is a bought feature. */
const MODES = [
  { name: 'base', cost: 1 },
  { name: 'ante', cost: 1.25 },
  { name: 'bonus', cost: 100 },
  { name: 'auto', cost: 1 },
];

export const UNIT = 1_000_000;

/**
 * Most tests use the first game. The other one forbids to buy features and asks for a second
 * between two rounds.
 */
export const GAMES = {
  open: { id: 'sdk-open', jurisdiction: {} },
  strict: { id: 'sdk-strict', jurisdiction: { minimumRoundDuration: 1000, disabledBuyFeature: true } },
} as const;

/** Writes both games below a folder, and returns their folders. */
export function writeTestGames(root: string): Promise<string[]> {
  return Promise.all(Object.values(GAMES).map((game) => writeGame(path.join(root, game.id), game)));
}

async function writeGame(folder: string, { id, jurisdiction }: { id: string; jurisdiction: object }): Promise<string> {
  const math = path.join(folder, 'math');
  await mkdir(math, { recursive: true });
  const limits = { minBet: UNIT / 5, maxBet: 100 * UNIT, stepBet: UNIT / 10, defaultBetLevel: UNIT };
  const game = {
    id,
    version: '1.0.0',
    title: id,
    betLimits: { default: { ...limits, betLevels: [UNIT / 5, UNIT, 5 * UNIT, 100 * UNIT] } },
    modes: {
      BASE: { autoClose: false },
      ANTE: { autoClose: false },
      BONUS: { autoClose: false, feature: true },
      AUTO: { autoClose: true },
    },
    jurisdiction,
  };
  await writeFile(path.join(folder, 'game.json'), JSON.stringify(game));
  const modes = MODES.map((mode) => ({ ...mode, events: `books_${mode.name}.jsonl.zst`, weights: `${mode.name}.csv` }));
  await writeFile(path.join(math, 'index.json'), JSON.stringify({ modes }));
  for (const { name, events, weights } of modes) {
    const table = PAYOUTS.map(([bookID, payout]) => `${bookID},1,${payout}\n`);
    await writeFile(path.join(math, weights), table.join(''));
    await writeFile(path.join(math, events), storedFrame(Buffer.from(booksOf(name))));
  }
  return folder;
}

function booksOf(mode: string): string {
  return PAYOUTS.map(([id, payoutMultiplier]) => {
    const events = [
      { index: 0, type: 'reveal', mode },
      { index: 1, type: 'finalWin', amount: payoutMultiplier },
    ];
    return `${JSON.stringify({ id, payoutMultiplier, events })}\n`;
  }).join('');
}

/**
 * Returns a zstd frame of one block that is stored as it is (RFC 8878, section 3.1.1): it needs no
 * compressor.
 */
function storedFrame(content: Buffer): Buffer {
  const header = Buffer.from('28b52ffda000000000000000', 'hex');
  header.writeUInt32LE(content.length, 5);
  const isLast = 1;
  header.writeUIntLE((content.length << 3) | isLast, 9, 3);
  return Buffer.concat([header, content]);
}
