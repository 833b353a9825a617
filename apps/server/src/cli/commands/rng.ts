import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createCryptoRandom, type MathMode, type Random64 } from '@roundhouse/math';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { reasonOf, stopWith } from '../../base/reason.ts';
import { renderIssues } from '../../base/terminal/mathReport.ts';
import { modeKey } from '../../rounds/games/catalogue.ts';
import { readGameFile } from '../../rounds/games/gameFile.ts';
import { makeTemporaryStore, openPublished } from '../../rounds/games/loadGames.ts';
import { locateGame, locateGames } from '../../rounds/games/locateGame.ts';
import { wholeNumber } from '../options/options.ts';

const CHUNK_BYTES = 65_536;
const BYTES_PER_DRAW = 4;
const MOST_DRAWS = 1e12;
const UNITS = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 } as const;

export function rngCommand(): Command {
  return new Command('rng')
    .description('Writes what the draw of `roundhouse serve` uses, by the same code (docs/compliance/rng.md).')
    .addCommand(dumpCommand());
}

function dumpCommand(): Command {
  return new Command('dump')
    .summary('write raw output of the generator, or drawn positions')
    .description(
      'With --raw: the bytes of the generator as the draw takes them, 64 bits at a time, before any scaling. ' +
        'With --scaled: the drawn positions in the lookup table of a mode, from 0, each an unsigned integer of 32 bits, little-endian.',
    )
    .addOption(new Option('--raw', 'output of the generator').conflicts(['scaled', 'draws', 'text']))
    .option('--bytes <size>', 'how much of it: 1000000, or 10GB (kB, MB, GB, TB: powers of 1000)', parseBytes)
    .addOption(new Option('--scaled <game/mode>', 'draws of this mode').conflicts('bytes'))
    .option('--draws <number>', 'how many draws', wholeNumber({ least: 1, most: MOST_DRAWS, unit: ' of draws' }))
    .option('--text', 'each position as a line of decimal digits', false)
    .addOption(new Option('--games <folder>', 'folder of games').env('ROUNDHOUSE_GAMES'))
    .option('--out <file>', 'write to this file, which must not exist; standard output when left out')
    .action(dump);
}

type DumpOptions = {
  raw?: true;
  bytes?: number;
  scaled?: string;
  draws?: number;
  text: boolean;
  games?: string;
  out?: string;
};

function dump(options: DumpOptions): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const { raw, bytes, scaled, draws, text, games, out } = options;
    const random = createCryptoRandom();
    if (raw && bytes !== undefined) return writeOut(rawChunks(random, bytes), { out, text }, signal);
    if (scaled === undefined || draws === undefined)
      throw new StartError('What to write? --raw with --bytes, or --scaled with --draws.');
    requireBinaryReader({ out, text });
    const { folder, modeName } = await findGame(scaled, games);
    const storeFolder = await makeTemporaryStore(cleanUp);
    const { math } = await openPublished({ folder, storeFolder, json: true, signal });
    if (!math.ok) throw new StartError(renderIssues(math.issues, math.issueCount).trimEnd());
    cleanUp.add(() => math.value.close());
    const mode = math.value.modes.get(modeKey(modeName));
    if (mode === undefined)
      throw new StartError(`There is no mode ${modeName} in it; it has ${[...math.value.modes.keys()].join(', ')}.`);
    return writeOut(
      text ? positionLines(mode, random, draws) : positionChunks(mode, random, draws),
      { out, text },
      signal,
    );
  });
}

/**
 * Finds a game's folder by the id in its game.json. Published files go by the name of their folder.
 */
async function findGame(named: string, games: string | undefined): Promise<{ folder: string; modeName: string }> {
  const [gameID = '', modeName = '', ...rest] = named.split('/');
  if (gameID === '' || modeName === '' || rest.length > 0)
    throw new StartError(`--scaled takes <game>/<mode>, for example sample/base, and not ${named}.`);
  if (games === undefined) throw new StartError('No games: set ROUNDHOUSE_GAMES, or name a folder with --games.');
  const folders = await locateGames(games).catch(stopWith(`The games folder ${games} cannot be read`));
  const ids = await Promise.all(folders.map(idOf));
  const found = folders.filter((_, index) => ids[index] === gameID);
  if (found.length === 1) return { folder: found[0] as string, modeName };
  if (found.length > 1)
    throw new StartError(`--games has ${gameID} more than once: ${found.join(', ')}. Name one of them.`);
  throw new StartError(`There is no game ${gameID} below ${games}. There: ${ids.join(', ') || 'none'}.`);
}

async function idOf(folder: string): Promise<string> {
  const found = await locateGame(folder);
  const file = found?.gameFile === undefined ? undefined : await readGameFile(found.gameFile);
  if (file?.ok === false) throw new StartError(file.issues.join('\n'));
  return file?.value.id ?? found?.folderName ?? '';
}

function* rawChunks(random: Random64, bytes: number): Generator<Buffer> {
  const into = new Uint32Array(2);
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    // Each chunk gets a new array: the last one may still wait to be written.
    const words = new Uint32Array(CHUNK_BYTES / Uint32Array.BYTES_PER_ELEMENT);
    const used = Math.ceil(Math.min(left, CHUNK_BYTES) / (2 * Uint32Array.BYTES_PER_ELEMENT));
    for (let at = 0; at < 2 * used; at += 2) {
      random(into);
      words[at] = into[0] as number;
      words[at + 1] = into[1] as number;
    }
    yield Buffer.from(words.buffer, 0, Math.min(left, CHUNK_BYTES));
  }
}

function* positionChunks(mode: MathMode, random: Random64, draws: number): Generator<Buffer> {
  const most = CHUNK_BYTES / BYTES_PER_DRAW;
  for (let left = draws; left > 0; left -= most) {
    const chunk = Buffer.alloc(BYTES_PER_DRAW * Math.min(left, most));
    for (let at = 0; at < chunk.length; at += BYTES_PER_DRAW) chunk.writeUInt32LE(mode.draw(random).position, at);
    yield chunk;
  }
}

function* positionLines(mode: MathMode, random: Random64, draws: number): Generator<Buffer> {
  const most = CHUNK_BYTES / BYTES_PER_DRAW;
  for (let left = draws; left > 0; left -= most) {
    const lines = Array.from({ length: Math.min(left, most) }, () => mode.draw(random).position);
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

type Target = { out: string | undefined; text: boolean };

/** Writes as fast as the reader reads. A reader that has enough (`| head -c`) ends it quietly. */
async function writeOut(chunks: Iterable<Buffer>, target: Target, signal: AbortSignal): Promise<void> {
  requireBinaryReader(target);
  const { out } = target;
  const into: Writable = out === undefined ? process.stdout : createWriteStream(out, { flags: 'wx' });
  await pipeline(Readable.from(chunks), into, { signal, end: out !== undefined }).catch(
    (error: NodeJS.ErrnoException) => {
      if (out === undefined && error.code === 'EPIPE') return;
      if (signal.aborted) throw signal.reason;
      if (error.code === 'EEXIST') throw new StartError(`${out} exists: --out makes a new file.`);
      throw new StartError(`The output cannot be written: ${reasonOf(error)}.`);
    },
  );
}

function requireBinaryReader({ out, text }: Target): void {
  if (out === undefined && !text && process.stdout.isTTY)
    throw new StartError('Bytes are not for a terminal: name a file with --out, or pipe the output.');
}

function parseBytes(text: string): number {
  const [, digits, unit] = /^(\d+)(|kB|MB|GB|TB)$/.exec(text) ?? [];
  const bytes = Number(digits) * UNITS[(unit ?? '') as keyof typeof UNITS];
  if (bytes >= 1 && Number.isSafeInteger(bytes)) return bytes;
  throw new InvalidArgumentError('A whole number of bytes above zero, such as 1000000 or 10GB.');
}
