import { StartError } from '@roundhouse/service';
import type { Database } from '../ledger/database.ts';
import { changeOperator } from '../ledger/queries/changeOperator.ts';
import { makeSecret } from '../seal.ts';

type JoinDeps = {
  db: Database;
  /** Under which the server knows the operator. */
  code: string;
  /** Where this server listens, and the database that the operator may use too. */
  server: { url: string; databaseUrl: string };
  signal: AbortSignal;
};

/** Channel to the script that started us, which runs the operator's process beside ours. */
type ToParent = { ready: true; url: string; databaseUrl: string; secret: string };
type FromParent = { operatorUrl?: string };

/**
 * Adds the operator that the parent starts after this server: sends the parent the address of the
 * server and a secret for this run, receives the address of the operator, and stores it. Returns
 * that address.
 */
export async function joinOperator({ db, code, server, signal }: JoinDeps): Promise<string> {
  if (process.send === undefined) throw new StartError('--join-operator is for `npm start`, which runs the operator.');
  const secret = makeSecret();
  const received = operatorUrl(signal);
  // With --https one port serves both. Over http the operator needs no exception for a self-signed
  // certificate.
  const url = server.url.replace(/^https:/, 'http:');
  process.send({ ready: true, url, databaseUrl: server.databaseUrl, secret } satisfies ToParent);
  const address = await received;
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

/**
 * Stops this process when its parent is gone, because nobody else would. Returns the function that
 * closes the channel: an open one keeps the process alive.
 */
export function stopWithParent(): () => Promise<void> {
  const stop = () => process.kill(process.pid, 'SIGTERM');
  process.once('disconnect', stop);
  return async () => {
    process.off('disconnect', stop);
    if (process.connected) process.disconnect();
  };
}
