import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  creditRequestSchema,
  debitRequestSchema,
  rollbackRequestSchema,
  type SignedCall,
  signatureIssue,
  transactionListRequestSchema,
  WALLET_ROUTES,
  walletAuthenticateRequestSchema,
  walletBalanceRequestSchema,
} from '@roundhouse/contract';
import * as z from 'zod';
import { createBooks, type Race, type Reply, refusal } from './books.ts';
import type { Breakage, Is } from './breakages.ts';

export type FakeWallet = {
  url: string;
  secret: string;
  /** A live session, and one whose login has expired. */
  sessionID: string;
  expiredSessionID: string;
  /** In micros. */
  balance(): number;
  /** The next calls are a race, for a wallet that is broken for one. */
  startRace(race: Race | undefined): void;
  close(): Promise<void>;
};

/** An honest wallet in memory on a port of its own. `broken`: the one rule it breaks. `lists`: whether it lists its transactions. */
export async function startFakeWallet({
  broken,
  lists = true,
}: {
  broken?: Breakage;
  lists?: boolean;
} = {}): Promise<FakeWallet> {
  const is = (breakage: Breakage) => breakage === broken;
  const secret = `secret-${randomUUID()}`;
  const sessionID = `session-${randomUUID()}`;
  const expiredSessionID = `session-${randomUUID()}`;
  const books = createBooks({ is, sessionID, expiredSessionID });

  async function answer(req: IncomingMessage, raw: string): Promise<Reply> {
    const { url: path = '' } = req;
    if (!lists && path === WALLET_ROUTES.transactions.path) return { status: 404, body: 'Not here' };
    if (!(await isSigned(req, { raw, secret, is }))) return { status: 401, body: { message: 'Not signed' } };
    const schema = schemasOf(is)[path];
    const body = schema?.safeParse(parsed(raw));
    if (body?.success) return await books.answer(path, body.data);
    if (is('falls over broken JSON') && parsed(raw) === undefined) return { status: 500, body: '<h1>Oops</h1>' };
    return refusal('ERR_VAL');
  }

  const server = createServer(async (req, res) => {
    const raw = Buffer.concat(await req.toArray()).toString();
    if (is('hangs up on broken JSON') && parsed(raw) === undefined) return void req.socket.destroy();
    const { status, body } = await answer(req, raw);
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    sessionID,
    expiredSessionID,
    balance: books.balance,
    startRace: books.startRace,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function isSigned(
  { method = '', url: path = '', headers }: IncomingMessage,
  { raw, secret, is }: { raw: string; secret: string; is: Is },
): Promise<boolean> {
  let signature = headers['x-roundhouse-signature']?.toString();
  const timestamp = headers['x-roundhouse-timestamp']?.toString();
  let nowSeconds = Math.floor(Date.now() / 1000);
  const signedAt = Number(timestamp);
  if (signature === undefined && is('takes unsigned calls')) return true;
  if (is('has a window of a minute') && Math.abs(signedAt - nowSeconds) > 60) return false;
  if (is('takes old signatures')) nowSeconds = Math.min(nowSeconds, signedAt);
  if (is('takes early signatures')) nowSeconds = Math.max(nowSeconds, signedAt);
  if (is('takes upper-case hex')) signature = signature?.toLowerCase();
  if (is('takes any version')) signature = signature?.replace(/^v\d+/, 'v2');
  const again = is('signs the body as parsed again') ? parsed(raw) : undefined;
  const body = again === undefined ? raw : JSON.stringify(again);
  for (const call of takenFor({ direction: 'to-operator', method, path, body }, is)) {
    const verified = { headers: { ...headers, 'x-roundhouse-signature': signature }, secrets: [secret], nowSeconds };
    const fault = await signatureIssue(call, verified);
    if (fault === undefined || (fault === 'not by any of the secrets' && is('does not compare signatures')))
      return true;
  }
  return false;
}

/** The calls whose signature this wallet takes for that of the call: the call alone, when it is not broken. */
function takenFor(call: SignedCall, is: Is): SignedCall[] {
  if (is('takes signatures of another method')) return ['POST', 'GET'].map((method) => ({ ...call, method }));
  if (is('takes signatures of the other direction')) return [call, { ...call, direction: 'to-rgs' }];
  if (is('takes signatures of another path'))
    return Object.values(WALLET_ROUTES).map(({ path }) => ({ ...call, path }));
  return [call];
}

function schemasOf(is: Is): Record<string, z.ZodType> {
  let debit: z.ZodObject = debitRequestSchema;
  if (is('takes 0')) debit = debit.extend({ amount: z.int().min(0) });
  if (is('takes less than 0')) debit = debit.extend({ amount: z.int().refine((amount) => amount !== 0) });
  if (is('takes fractions'))
    debit = debit.extend({
      amount: z
        .number()
        .min(1)
        .max(2 ** 53 - 1)
        .transform(Math.floor),
    });
  if (is('takes texts')) debit = debit.extend({ amount: z.coerce.number().pipe(z.int().min(1)) });
  if (is('takes more than the range')) debit = debit.extend({ amount: z.number().min(1).refine(Number.isInteger) });
  if (is('takes debits of no round')) debit = debit.extend({ roundID: z.string().default('0') });
  if (is('refuses unknown fields')) debit = debit.strict();
  return {
    '/authenticate': walletAuthenticateRequestSchema,
    '/balance': walletBalanceRequestSchema,
    '/debit': debit,
    '/credit': creditRequestSchema,
    '/rollback': rollbackRequestSchema,
    '/transactions': transactionListRequestSchema,
  };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
