// This thread hashes, so that the primary can go on handing connections to workers.
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { limitsOf, StartError } from '@roundhouse/service';
import { openDatabase } from '../../store/database/database.ts';
import { recordEvent } from '../../store/watch/significantEvents.ts';
import { type CheckJob, type CheckMessage, type CheckResult, outcomeOf } from './check.ts';
import { type InstallReport, verifyInstall } from './installReport.ts';
import { readManifest } from './manifest.ts';

const NAMES_OF_AN_EVENT = 20;
/** A database that does not respond must not keep the next check from its turn. */
const RECORD_TIMEOUT_MS = 10_000;

const job = workerData as CheckJob;
const post = (message: CheckMessage) => parentPort?.postMessage(message);

const result = await check();
post({ result });
post({ recorded: await tryToRecord(result) });

async function check(): Promise<CheckResult> {
  try {
    return { report: await verifyInstall({ ...job.place, database: job.database }, await readManifest(job)) };
  } catch (error) {
    if (error instanceof StartError) return { error: error.message };
    throw error;
  }
}

/** Records each check, but a check that repeats a mismatch only when it found something else. */
async function tryToRecord(checked: CheckResult): Promise<true | string> {
  if (job.trigger === 'again' && outcomeOf(checked) === job.lastOutcome) return true;
  const { report, error } = checked;
  const node = os.hostname();
  const db = openDatabase({
    url: job.database,
    connections: 1,
    limits: limitsOf(RECORD_TIMEOUT_MS),
    actor: `node:${node}#${process.pid}`,
  });
  try {
    await recordEvent(db, {
      kind: report?.ok ? 'install_verified' : 'install_mismatch',
      subject: `installation of ${node}`,
      before: report && { sha256: report.expected },
      after: { trigger: job.trigger, ...(report === undefined ? { error } : foundOf(report)) },
    });
    return true;
  } catch (failure) {
    return (failure as Error).message;
  } finally {
    await db.$disconnect();
  }
}

function foundOf({ found, files, elements, changed, missing, extra, unreadable }: InstallReport): object {
  const lists = { changed, missing, extra, unreadable: Object.keys(unreadable) };
  const some = Object.entries(lists).filter(([, names]) => names.length > 0);
  const shown = some.map(([kind, names]) => [kind, { count: names.length, names: names.slice(0, NAMES_OF_AN_EVENT) }]);
  return { sha256: found, files, elements, ...Object.fromEntries(shown) };
}
