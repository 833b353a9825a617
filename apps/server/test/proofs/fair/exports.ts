import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type FairDocument, verify } from '@roundhouse/fair';
import { expect } from 'vitest';
import type { Database } from '../../../src/store/database/database.ts';
import type { FairPlayer, Period } from './fairPlayer.ts';

const PYTHON_VERIFIER = fileURLToPath(new URL('../../../../../docs/fairness/verify.py', import.meta.url));

/** Is the export of a seed period, in a file as it was sent. */
export type Exported = {
  player: FairPlayer;
  period: Period;
  file: string;
  document: FairDocument;
  megabytes: number;
  exportSeconds: number;
  verifySeconds: number;
  pythonSeconds: number;
};

const secondsOf = async <Value>(work: () => Value | Promise<Value>): Promise<[number, Value]> => {
  const startedMs = performance.now();
  const value = await work();
  return [(performance.now() - startedMs) / 1000, value];
};

/** Runs the program on each file, in one process: a start of Python takes longer than the check. */
const EACH_FILE = `
import contextlib, io, json, runpy, sys
program, results = sys.argv[1], []
for file in sys.argv[2:]:
    sys.argv, output, code = [program, file], io.StringIO(), 0
    try:
        with contextlib.redirect_stdout(output): runpy.run_path(program, run_name="__main__")
    except SystemExit as end: code = end.code
    except Exception as error: code, output = 1, io.StringIO(repr(error))
    results.append({"code": code, "output": output.getvalue()})
print(json.dumps(results))`;

/** Runs docs/fairness/verify.py on each file. Returns exit codes and what it printed. */
export async function verifyInPython(files: readonly string[]): Promise<{ code: number; output: string }[]> {
  const { stdout } = await promisify(execFile)('python3', ['-c', EACH_FILE, PYTHON_VERIFIER, ...files], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Exports each period of the player, and verifies it by the package and by the Python program. */
export async function exportAndVerify(player: FairPlayer, folder: string): Promise<Exported[]> {
  const exported: Exported[] = [];
  for (const [place, period] of player.periods.entries()) {
    const [exportSeconds, text] = await secondsOf(() => player.exportOf(period));
    const file = path.join(folder, `${player.playerID}-${place}.json`);
    await writeFile(file, text);
    const document = JSON.parse(text) as FairDocument;
    const { serverSeedHash } = period;
    const [verifySeconds, report] = await secondsOf(() => verify(document, { expected: { serverSeedHash } }));
    expect(report).toMatchObject({ ok: true, issueCount: 0, notRevealed: false, rounds: period.nonces });
    expect(document).toMatchObject({ serverSeed: period.serverSeed, nonces: period.nonces });
    const [pythonSeconds, python] = await secondsOf(() => verifyInPython([file]));
    expect(python).toMatchObject([{ code: 0 }]);
    const megabytes = Buffer.byteLength(text) / 1e6;
    exported.push({ player, period, file, document, megabytes, exportSeconds, verifySeconds, pythonSeconds });
  }
  expectWhatThePlayerSaw(player, exported);
  return exported;
}

/** Every round that a response has shown is in one export, with that payout. */
function expectWhatThePlayerSaw({ playerID, seen }: FairPlayer, exported: readonly Exported[]): void {
  const rounds = new Map(exported.flatMap(({ document }) => document.rounds.map((round) => [round.betID, round])));
  for (const [betID, { amount, payout, payoutMultiplier, isVoided }] of seen) {
    const round = rounds.get(betID);
    const expected = isVoided
      ? { betID, amount, void: true }
      : { betID, amount, payout, payoutMultiplier: String(Math.round(payoutMultiplier * 100)) };
    expect(round, `${playerID}, round ${betID}`).toMatchObject(expected);
  }
}

/**
 * The database has each round of the exports, and no other fair one; the nonces of a seed have no
 * gap.
 */
export async function expectNoGapInDatabase(db: Database, exported: readonly Exported[]): Promise<void> {
  const seeds = await db.$queryRaw<{ hash: string; rounds: number; nonces: number; last: number; voids: number }[]>`
    SELECT encode(s.server_seed_sha256, 'hex') AS hash, count(*)::int AS rounds,
      count(DISTINCT r.fair_nonce)::int AS nonces, max(r.fair_nonce)::int AS last,
      count(*) FILTER (WHERE r.wallet_state = 'void')::int AS voids
    FROM rounds r JOIN fair_seeds s ON s.id = r.fair_seed_id GROUP BY s.id`;
  const stored = new Map(seeds.map(({ hash, ...counts }) => [hash, counts]));
  for (const { period, document } of exported) {
    if (period.nonces === 0) continue;
    const { rounds, nonces, last } = stored.get(period.serverSeedHash) ?? {};
    const count = document.rounds.length;
    expect({ rounds, nonces, last }).toEqual({ rounds: count, nonces: count, last: count - 1 });
    stored.delete(period.serverSeedHash);
  }
  expect([...stored.keys()]).toEqual([]);
}
