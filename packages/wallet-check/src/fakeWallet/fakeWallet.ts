import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CloseRoundsRequest,
  type CreditRequest,
  closeRoundsRequestSchema,
  creditRequestSchema,
  type DebitRequest,
  debitRequestSchema,
  type RollbackRequest,
  rollbackRequestSchema,
  type SignedCall,
  signatureIssue,
  transactionListRequestSchema,
  WALLET_HEALTH_PATH,
  WALLET_ROUTES,
  WALLET_TEST_ROUTES,
  type WalletErrorCode,
  walletAuthenticateRequestSchema,
  walletBalanceRequestSchema,
} from '@roundhouse/contract';
import * as z from 'zod';
import { createBooks, type Reply, refusal } from './books.ts';
import type { Breakage, Is } from './breakages.ts';
import { isPaidOrFree } from './freeRounds.ts';

export { OPENING_BALANCE, type Race } from './books.ts';

/** Replaces an honest response to a request. With `done` the wallet does its work first. */
export type Behaviour =
  | { kind: 'refuse'; code: WalletErrorCode }
  | { kind: 'response'; status: number; text: string | ((body: Body) => string); done?: boolean }
  /** The connection ends within the response. */
  | { kind: 'cut'; done: boolean }
  /** The connection ends before the response. */
  | { kind: 'drop'; done: boolean }
  | { kind: 'hang'; done: boolean }
  /** It runs first; then the request goes its honest way. */
  | { kind: 'before'; run: () => void | Promise<void> };

/** Any request to a wallet may have these members. */
type Body = Readonly<DebitRequest & CreditRequest & RollbackRequest & CloseRoundsRequest>;

export type FakeWallet = Awaited<ReturnType<typeof startFakeWallet>>;

type FakeWalletOptions = {
  /** It breaks this one rule. */
  broken?: Breakage;
  /** Says whether the wallet lists its transactions. */
  lists?: boolean;
  /** Says whether the wallet closes losing rounds in groups. */
  closes?: boolean;
  /**
   * It knows any session, whose player is its last part: "acme:…:ann". Nobody is called "nobody".
   */
  anyPlayer?: boolean;
  secret?: string;
  /** Each response also has these headers, and this text before its body. */
  headers?: Readonly<Record<string, string>>;
  before?: string;
};

/**
 * Starts an honest wallet in memory on a new port, which breaks a rule or behaves otherwise on
 * request.
 */
export async function startFakeWallet({
  broken,
  lists = true,
  closes = true,
  anyPlayer = false,
  secret = `secret-${randomUUID()}`,
  headers = {},
  before = '',
}: FakeWalletOptions = {}) {
  const is = (breakage: Breakage) => breakage === broken;
  const schemas = schemasOf(is);
  const sessionID = `session-${randomUUID()}`;
  const expiredSessionID = `session-${randomUUID()}`;
  const playerOf = (asked: string) => {
    const player = anyPlayer ? asked.split(':').at(-1) : asked === sessionID ? 'player-7' : undefined;
    return player === 'nobody' ? undefined : player;
  };
  const missing = [
    ...(lists ? [] : [WALLET_ROUTES.transactions.path]),
    ...(closes ? [] : [WALLET_ROUTES.closeRounds.path]),
  ];
  const books = createBooks({ is, playerOf, expiredSessionID });
  if (anyPlayer) books.say({});
  const calls: { path: string; body: Body }[] = [];
  const scripted: { path: string; behaviour: Behaviour; times: number }[] = [];

  async function replyTo({ url: path = '' }: IncomingMessage, raw: string): Promise<Reply> {
    if (path === WALLET_TEST_ROUTES.testSession.path) return { status: 200, body: { sessionID, expiredSessionID } };
    const body = schemas[path]?.safeParse(parsed(raw));
    if (body?.success) return await books.respond(path, body.data);
    if (is('falls over broken JSON') && parsed(raw) === undefined) return { status: 500, body: '<h1>Oops</h1>' };
    return refusal('ERR_VAL');
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { url: path = '' } = req;
    const raw = Buffer.concat(await req.toArray()).toString();
    const send = ({ status, body }: Reply) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      res.writeHead(status, { 'content-type': 'application/json', ...headers });
      res.end(is('tells balances as binary fractions') ? inBinary(text) : before + text);
    };
    if (path === WALLET_HEALTH_PATH) return send({ status: is('is not healthy') ? 503 : 200, body: {} });
    if (is('hangs up on broken JSON') && parsed(raw) === undefined) return void req.socket.destroy();
    if (missing.some((each) => each === path)) return send({ status: 404, body: 'Not here' });
    if (!isSigned(req, { raw, secret, is })) return send({ status: 401, body: { message: 'Not signed' } });
    calls.push({ path, body: parsed(raw) as Body });
    const behaviour = take(path);
    if (behaviour?.kind === 'before') await behaviour.run();
    if (behaviour === undefined || behaviour.kind === 'before') return send(await replyTo(req, raw));
    if (behaviour.kind === 'refuse') return send(refusal(behaviour.code));
    if (behaviour.done) await replyTo(req, raw);
    if (behaviour.kind === 'response') {
      const { status, text } = behaviour;
      return send({ status, body: typeof text === 'string' ? text : text(parsed(raw) as Body) });
    }
    if (behaviour.kind === 'cut') {
      req.socket.write('H');
      req.socket.destroySoon();
    }
    if (behaviour.kind === 'drop') req.socket.destroy();
  }

  function take(path: string): Behaviour | undefined {
    const found = scripted.find((each) => each.path === path && each.times > 0);
    if (found) found.times -= 1;
    return found?.behaviour;
  }

  const server = createServer((req, res) => void respond(req, res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    /** The first is a live session, the other one whose login has expired. */
    sessionID,
    expiredSessionID,
    /** Micros. */
    balance: () => books.balanceOf('player-7'),
    balanceOf: books.balanceOf,
    setBalance: books.setBalance,
    say: books.say,
    outcomeOf: books.outcomeOf,
    /** The next calls are a race, for a wallet that is broken for one. */
    startRace: books.startRace,
    /** Lists every signed request, in order of arrival. */
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path).map(({ body }) => body),
    /** Sets how the next request to this path is met, or the next `times` requests. */
    next(path: string, behaviour: Behaviour, times = 1) {
      scripted.push({ path, behaviour, times });
    },
    /** No request has met these behaviours yet. */
    unmet: () => scripted.filter(({ times }) => times > 0 && times < 1000),
    forget() {
      scripted.length = 0;
      calls.length = 0;
    },
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** PHP and JavaScript write a calculated amount like this. */
function inBinary(json: string): string {
  return json.replace(/("balance":-?\d+)(?=[,}])/, '$1.0000001');
}

function isSigned(
  { method = '', url: path = '', headers }: IncomingMessage,
  { raw, secret, is }: { raw: string; secret: string; is: Is },
): boolean {
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
    const issue = signatureIssue(call, verified);
    if (issue === undefined || (issue === 'not by any of the secrets' && is('does not compare signatures')))
      return true;
  }
  return false;
}

/**
 * Returns the calls whose signature this wallet takes for that of the call: the call alone, when it
 * is not broken.
 */
function takenFor(call: SignedCall, is: Is): SignedCall[] {
  if (is('takes signatures of another method')) return ['POST', 'GET'].map((method) => ({ ...call, method }));
  if (is('takes signatures of the other direction')) return [call, { ...call, direction: 'to-rgs' }];
  if (is('takes signatures of another path'))
    return Object.values(WALLET_ROUTES).map(({ path }) => ({ ...call, path }));
  return [call];
}

function schemasOf(is: Is): Record<string, z.ZodType> {
  let debit: z.ZodObject = debitRequestSchema;
  if (is('takes less than 0')) debit = debit.extend({ amount: z.int() });
  if (is('takes fractions'))
    debit = debit.extend({
      amount: z
        .number()
        .min(0)
        .max(2 ** 53 - 1)
        .transform(Math.floor),
    });
  if (is('takes texts')) debit = debit.extend({ amount: z.coerce.number().pipe(z.int().min(0)) });
  if (is('takes more than the range')) debit = debit.extend({ amount: z.number().min(0).refine(Number.isInteger) });
  if (is('takes debits of no round')) debit = debit.extend({ roundID: z.string().default('0') });
  if (is('refuses unknown fields')) debit = debit.strict();
  return {
    '/authenticate': walletAuthenticateRequestSchema,
    '/balance': walletBalanceRequestSchema,
    '/debit': debit.refine((body) => isPaidOrFree(body as DebitRequest, is)),
    '/credit': creditRequestSchema,
    '/close-rounds': closeRoundsRequestSchema,
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
