import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FairDocument, verify } from '@roundhouse/fair';
import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { temporaryFolder } from '../../support/roundhouse.ts';
import { expectBooksBalance } from '../../support/testServer.ts';
import { settled } from '../chaos/agreement.ts';
import { createRandom } from '../chaos/playAndKill.ts';
import { type Exported, expectNoGapInDatabase, exportAndVerify, verifyInPython } from './exports.ts';
import { type FairRun, playFair } from './playFair.ts';
import { reportOf } from './report.ts';
import { TAMPERINGS, tamperedWith } from './tamper.ts';

// `npm run proof -- fair --rounds 100000 --nodes 2 --seed 7` sets these.
const ROUNDS = Number(process.env.FAIR_ROUNDS ?? 400);
const NODES = Number(process.env.FAIR_NODES ?? 2);
const SEED = Number(process.env.FAIR_SEED ?? 20_261_128);
/** A browser checks these files afterwards. */
const { FAIR_FOLDER } = process.env;
const TAMPERED = Number(process.env.FAIR_TAMPERINGS ?? 200);
const PLAYERS = ROUNDS < 5_000 ? { house: 4, operator: 2 } : { house: 14, operator: 6 };

let run: FairRun | undefined;
const exported: Exported[] = [];
afterAll(async () => {
  if (run) await Promise.all([run.operator, ...run.nodes].map((each) => each.kill()));
});

it(`${ROUNDS} rounds on ${NODES} nodes, seed ${SEED}: every one is verified, and no nonce is missing`, {
  timeout: 600_000 + ROUNDS * 50,
}, async () => {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url });
  try {
    run = await playFair({ databaseUrl: database.url, nodes: NODES, rounds: ROUNDS, seed: SEED, players: PLAYERS });
    await settled(db);
    const folder = await newFolder('exports');
    for (const player of run.players) {
      await player.comeToRest();
      await player.rotate();
      exported.push(...(await exportAndVerify(player, folder)));
    }
    await expectNoGapInDatabase(db, exported);
    await expectBooksBalance(db);
    const rounds = exported.reduce((sum, { document }) => sum + document.rounds.length, 0);
    expect(rounds).toBeGreaterThanOrEqual(ROUNDS);
    console.log(reportOf(run, exported));
  } finally {
    await db.$disconnect();
  }
});

it(`${TAMPERED} random changes of an export are found, each is named, and the Python program finds them too`, {
  timeout: 600_000,
}, async () => {
  const folder = await newFolder('tampered');
  const random = createRandom(SEED, 1_000_000);
  const document = tamperedExport(exported);
  const names = Object.keys(TAMPERINGS);
  const files: string[] = [];
  const changes: string[] = [];
  const missed: string[] = [];
  for (let place = 0; place < TAMPERED; place += 1) {
    // Each change comes up, and the rest are random ones.
    const name = (names[place] ?? names[Math.floor(random() * names.length)]) as string;
    const tampered = tamperedWith(document, name, random);
    const { ok, issues } = verify(tampered);
    const kinds = [...new Set(issues.map(({ kind }) => kind as string))];
    const isNamed = kinds.some((kind) => TAMPERINGS[name]?.named.includes(kind));
    if (ok || !isNamed) missed.push(`${name}: ${ok ? 'not found' : `named ${kinds.join()}`}`);
    const file = path.join(folder, `${place}.json`);
    await writeFile(file, JSON.stringify(tampered));
    files.push(file);
    changes.push(name);
  }
  const inPython = await verifyInPython(files);
  for (const [place, { code, output }] of inPython.entries())
    if (code !== 1) missed.push(`${changes[place]}, in Python: ${code} ${output}`);
  expect(inPython).toHaveLength(TAMPERED);
  expect(missed).toEqual([]);
});

async function newFolder(name: string): Promise<string> {
  const folder = path.join(FAIR_FOLDER ?? (await temporaryFolder('fair')), name);
  await mkdir(folder);
  return folder;
}

/**
 * Takes an export with some hundred rounds, since each change is verified in a separate process.
 */
function tamperedExport(all: readonly Exported[]): FairDocument {
  const bySize = all.toSorted((one, other) => one.document.rounds.length - other.document.rounds.length);
  const fitting = bySize.find(({ document }) => document.rounds.length >= 50 && document.tables.length >= 3);
  return (fitting ?? (bySize.at(-1) as Exported)).document;
}
