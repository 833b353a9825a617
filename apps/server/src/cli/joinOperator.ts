import { StartError } from '@roundhouse/service';
import type { Database } from '../ledger/database.ts';
import { changeOperator } from '../ledger/queries/changeOperator.ts';
import { makeSecret } from '../seal.ts';

type JoinParts = {
  db: Database;
  /** Under which the server knows the operator. */
  code: string;
  /** Where this server answers, and the database that the operator may use too. */
  server: { url: string; databaseUrl: string };
  signal: AbortSignal;
};

/** Channel to the script that started us, which runs the operator's process beside ours. */
type ToParent = { ready: true; url: string; databaseUrl: string; secret: string };
type FromParent = { operatorUrl?: string };

/**
 * Joins the server with an operator that is started after it, over the protocol that any operator speaks: tells the parent where the
 * server is and a secret for this run, hears where the operator is, and makes it known. Answers the operator's address.
 */
export async function joinOperator({ db, code, server, signal }: JoinParts): Promise<string> {
  if (process.send === undefined) throw new StartError('--join-operator is for `npm start`, which runs the operator.');
  const secret = makeSecret();
  const answered = operatorUrl(signal);
  // With --https both are answered on one port; a certificate of our own making would only have to be excused.
  const url = server.url.replace(/^https:/, 'http:');
  process.send({ ready: true, url, databaseUrl: server.databaseUrl, secret } satisfies ToParent);
  const address = await answered;
  const change = { name: 'Reference operator', walletUrl: `${address}/wallet`, secret };
  const outcome = await changeOperator(db, { code, kind: 'add_or_set', change, makeSecret });
  if (!outcome.ok) throw new StartError(`Operator ${code} cannot be joined: ${outcome.refusal.kind}.`);
  return address;
}

function operatorUrl(signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    process.once('message', (message: FromParent) => {
      signal.removeEventListener('abort', stop);
      if (message.operatorUrl === undefined) reject(new StartError('The operator did not start: see above.'));
      else resolve(message.operatorUrl);
    });
  });
}

/** When the parent is gone there is nobody left to stop us, so we stop. Returns what lets go of it: an open channel keeps a process. */
export function stopWithParent(): () => Promise<void> {
  const stop = () => process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', stop);
  return async () => {
    process.off('disconnect', stop);
    if (process.connected) process.disconnect();
  };
}
