import { type Database, openDatabase } from '../../dist/ledger/database.js';
import { createLedger, type Ledger } from '../../dist/ledger/ledger.js';
import { batchCaller } from '../callers/batchCaller.ts';
import { openHttpCaller } from '../callers/httpCaller.ts';
import { openStatementCaller } from '../callers/statementCaller.ts';
import { serveParent } from '../child.ts';
import { closedLoop, type LoadResult } from '../generators/closedLoop.ts';
import type { BenchPlayer, Caller, Workload } from '../workload.ts';

/** Where the load goes: a server, or the database itself in one of two ways. These two only play. */
export type Path =
  | { via: 'http'; url: string }
  | { via: 'statements'; databaseUrl: string }
  | { via: 'batches'; databaseUrl: string };

/** One caller for each player. */
export type LoadJob = { path: Path; players: readonly BenchPlayer[]; workload: Workload; seconds: number };

// Kept between jobs: a server's database connections are warm, too.
let batches: { db: Database; ledger: Ledger } | undefined;

serveParent<LoadJob, LoadResult>(
  async ({ path, players, workload, seconds }) => {
    const callers = await Promise.all(players.map((player) => openCaller(path, { player, workload })));
    try {
      return await closedLoop(callers, { seconds });
    } finally {
      await Promise.all(callers.map((caller) => caller.close()));
    }
  },
  { close: async () => batches?.db.$disconnect() },
);

async function openCaller(
  path: Path,
  { player, workload }: { player: BenchPlayer; workload: Workload },
): Promise<Caller> {
  switch (path.via) {
    case 'http':
      return openHttpCaller(path.url, { sessionID: player.sessionID, workload });
    case 'statements':
      return openStatementCaller(path.databaseUrl, player);
    case 'batches':
      return batchCaller(ledgerOn(path.databaseUrl), player);
  }
}

function ledgerOn(databaseUrl: string): Ledger {
  if (batches === undefined) {
    const db = openDatabase({ url: databaseUrl });
    batches = { db, ledger: createLedger(db) };
  }
  return batches.ledger;
}
