import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Is a book in the published words: `events` is the text of a JSON array. */
type WrittenBook = { id: number; payoutMultiplier: number; events: string };

type StudioFolder = {
  /** The folder's path ends with it: a bare set of files has this name. */
  name: string;
  books: readonly WrittenBook[];
  /** Without it the folder is a bare set of published files. */
  gameFile?: object;
};

/** Writes one mode, `base`, of cost 1, by hand, so that every byte of a book is the test's own. */
export async function writeStudioFolder({ name, books, gameFile }: StudioFolder) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-studio-'));
  const folder = path.join(root, name);
  const math = gameFile === undefined ? folder : path.join(folder, 'math');
  await mkdir(math, { recursive: true });
  const files = { events: 'books_base.jsonl.zst', weights: 'lookUpTable_base_0.csv' };
  const lines = books.map(
    (book) => `{"id":${book.id},"payoutMultiplier":${book.payoutMultiplier},"events":${book.events}}\n`,
  );
  const table = books.map(({ id, payoutMultiplier }) => `${id},1,${payoutMultiplier}\n`);
  await writeFile(path.join(math, files.events), storedFrame(Buffer.from(lines.join(''))));
  await writeFile(path.join(math, files.weights), table.join(''));
  await writeFile(path.join(math, 'index.json'), JSON.stringify({ modes: [{ name: 'base', cost: 1, ...files }] }));
  if (gameFile) await writeFile(path.join(folder, 'game.json'), JSON.stringify(gameFile));
  return { folder, storeFolder: path.join(root, 'store'), remove: () => rm(root, { recursive: true, force: true }) };
}

/** Returns a game.json with one bet for all currencies. */
export function gameFileOf(options: { id: string; version?: string; betLimits?: object; modes?: object }) {
  const unit = 1_000_000;
  const limits = { minBet: unit, maxBet: 10 * unit, stepBet: unit, defaultBetLevel: unit, betLevels: [unit] };
  return { version: '1.0.0', title: options.id, betLimits: { default: limits }, ...options };
}

/** Makes a zstd frame of one stored block (RFC 8878, 3.1.1), which needs no compressor. */
function storedFrame(content: Buffer): Buffer {
  const header = Buffer.from('28b52ffda000000000000000', 'hex');
  header.writeUInt32LE(content.length, 5);
  const isLast = 1;
  header.writeUIntLE((content.length << 3) | isLast, 9, 3);
  return Buffer.concat([header, content]);
}
