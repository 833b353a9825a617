import { createHash, timingSafeEqual } from 'node:crypto';
import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import { fieldErrorOf, METHODS, type Method, PARTNER, parse, passwordOf, playeridOf, type RelaxBody } from './wire.ts';

export const BREAKAGES = [
  'takes any password',
  'takes any partner',
  'takes any fields',
  'verifies an expired ticket',
  'takes any player',
  'takes any currency',
  'takes a bet of any game',
  'takes a bet above the balance',
  'moves a repeated bet again',
  'takes a known txid with another amount',
  'moves a repeated deposit again',
  'takes a changed deposit',
  'takes a deposit without a bet',
  'takes a deposit after the end',
  'refuses a deposit of nothing',
  'rolls back again and again',
  'rolls back what it does not know',
  'rolls back a deposit',
  'forgets to move a rollback',
] as const;
type Breakage = (typeof BREAKAGES)[number];

type Session = { token: string; gameref: string };
/** A transaction that was taken, with the body of its request. */
type Taken = { method: Method; body: RelaxBody; relaxtxid: number };
type Memory = { sessions: Session[]; taken: Map<string, Taken>; ended: Set<string> };

const FIRST_SESSIONID = 500_001;
const FIRST_RELAXTXID = 900_001;
/** The books note a rollback of nothing by this end of its id. */
export const UNKNOWN = '#unknown';

/** Responds as the wallet of a partner does. What it refuses changes nothing. */
export async function respond(
  { method: verb, path, headers, body }: WalletApiRequest,
  world: World,
): Promise<WalletApiResponse> {
  const is = (breakage: Breakage) => world.broken === breakage;
  const [, partner, method = ''] = /^\/(\d+)\/([a-z]+)$/.exec(path) ?? [];
  if (verb !== 'POST' || !isMethod(method)) return error(404, 'INVALID_PARAMETERS', 'there is no such method');
  const isTrusted = world.isInstant || is('takes any password') || isSame(headers.authorization, passwordOf(world));
  if (!isTrusted) return error(401, 'INVALID_PARAMETERS', 'the user or password is wrong');
  if (Number(partner) !== PARTNER && !is('takes any partner'))
    return error(403, 'INVALID_PARAMETERS', 'the partner is not known');
  const content = parse(String(body));
  const wrong = is('takes any fields') ? undefined : fieldErrorOf(method, content);
  if (content === undefined || wrong !== undefined) return error(400, 'INVALID_PARAMETERS', wrong ?? 'no JSON');
  return method === 'verifytoken' ? verifyToken(world, content) : play(world, method, content);
}

function isMethod(method: string): method is Method {
  return (METHODS as readonly string[]).includes(method);
}

function isSame(given: unknown, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(String(given)), hash(expected));
}

function error(status: number, errorcode: string, errormessage: string): WalletApiResponse {
  return { status, body: JSON.stringify({ errorcode, errormessage }) };
}

function memoryOf({ memory }: World): Memory {
  const known = memory.get('relax') as Memory | undefined;
  const made = known ?? { sessions: [], taken: new Map(), ended: new Set() };
  memory.set('relax', made);
  return made;
}

function verifyToken(world: World, { token: ticket, gameref = '' }: RelaxBody): WalletApiResponse {
  const token = world.tokens.find(String(ticket));
  const isDead = token?.isExpired && world.broken !== 'verifies an expired ticket';
  if (token === undefined || isDead) return error(401, 'INVALID_TOKEN', 'Session key is invalid or expired');
  const { sessions } = memoryOf(world);
  if (!sessions.some((session) => session.token === token.token)) sessions.push({ token: token.token, gameref });
  const { player, currency } = token;
  const verified = {
    playerid: playeridOf(player),
    customerid: player,
    partnerid: PARTNER,
    jurisdiction: 'MT',
    currency,
    countrycode: 'MT',
    balance: Number(world.books.balance(player, currency)),
    sessionid: FIRST_SESSIONID + sessions.findIndex((session) => session.token === token.token),
    operatorbetsettings: { minimumbet: 10, maximumbet: 100_000, defaultbet: 100 },
  };
  return { status: 200, body: JSON.stringify(verified) };
}

/** Money moves in a session of its player. Only withdraw and getbalance need it alive. */
function play(world: World, method: Exclude<Method, 'verifytoken'>, body: RelaxBody): WalletApiResponse {
  const is = (breakage: Breakage) => world.broken === breakage;
  const session = memoryOf(world).sessions[Number(body.sessionid) - FIRST_SESSIONID];
  const token = session && world.tokens.find(session.token);
  if (session === undefined || token === undefined) return error(401, 'INVALID_TOKEN', 'there is no such session');
  const { player, currency } = token;
  if (body.playerid !== playeridOf(player) && !is('takes any player'))
    return error(400, 'INVALID_PARAMETERS', 'playerid is not that of the session');
  if (body.currency !== currency && !is('takes any currency'))
    return error(400, 'INVALID_PARAMETERS', 'currency is not that of the session');
  if (body.gameref !== session.gameref && !is('takes a bet of any game'))
    return error(400, 'GAME_SESSION_MISMATCH', 'gameref is not that of the session');
  const needsLife = method === 'withdraw' || method === 'getbalance';
  if (token.isExpired && needsLife) return error(401, 'SESSION_EXPIRED', 'the session has timed out');
  const answer = () => ({ sessionid: body.sessionid, balance: Number(world.books.balance(player, currency)) });
  if (method === 'getbalance') return { status: 200, body: JSON.stringify({ ...answer(), currency }) };
  const moved = move(world, { method, body, player, currency });
  if ('status' in moved) return moved;
  return { status: 200, body: JSON.stringify({ ...answer(), txid: body.txid, relaxtxid: moved.relaxtxid }) };
}

type Wanted = { method: 'withdraw' | 'deposit' | 'rollback'; body: RelaxBody; player: string; currency: string };

/** A known txid moves nothing again. Each attempt of a deposit must be the same to the letter. */
function move(world: World, wanted: Wanted): WalletApiResponse | Taken {
  const { method, body, player, currency } = wanted;
  const is = (breakage: Breakage) => world.broken === breakage;
  const { taken, ended } = memoryOf(world);
  const { txid = '', roundid = '', originaltxid } = body;
  const amount = BigInt(Math.trunc(Number(body.amount)));
  const known = taken.get(txid);
  const again: Partial<Record<Method, boolean>> = {
    withdraw: is('moves a repeated bet again'),
    deposit: is('moves a repeated deposit again'),
    rollback: is('rolls back again and again'),
  };
  if (known !== undefined) {
    const isOther = known.method !== method || known.body.amount !== body.amount || known.body.roundid !== roundid;
    if (isOther && !is('takes a known txid with another amount'))
      return error(400, 'INVALID_TXID', 'the txid was used for another transaction');
    const isChanged = method === 'deposit' && JSON.stringify(known.body) !== JSON.stringify(body);
    if (isChanged && !is('takes a changed deposit') && !isOther)
      return error(400, 'INVALID_PARAMETERS', 'a deposit is repeated with the same content');
    if (!again[method]) return known;
  }
  const original = originaltxid === undefined ? undefined : taken.get(originaltxid);
  const wrong = orderErrorOf(world, wanted, original);
  if (method === 'rollback' && original === undefined)
    world.books.move({ id: `${txid}${UNKNOWN}`, kind: 'rollback', player, currency, amount: 0n, round: roundid });
  if (wrong !== undefined) return wrong;
  const kind = { withdraw: 'bet', deposit: 'win', rollback: 'rollback' } as const;
  const isKept = !(method === 'rollback' && (original === undefined || is('forgets to move a rollback')));
  const id = known === undefined ? txid : `${txid}-${taken.size}`;
  const entry = { id, kind: kind[method], player, currency, round: roundid, ref: originaltxid };
  const moved = isKept ? world.books.move({ ...entry, amount }) : 'moved';
  if (moved === 'insufficient' && !is('takes a bet above the balance'))
    return error(400, 'INSUFFICIENT_FUNDS', 'Insufficient player balance');
  const made: Taken = { method, body, relaxtxid: FIRST_RELAXTXID + taken.size };
  taken.set(id, made);
  if (body.ended === true) ended.add(roundid);
  return made;
}

function orderErrorOf(world: World, { method, body }: Wanted, original: Taken | undefined) {
  const is = (breakage: Breakage) => world.broken === breakage;
  const { taken, ended } = memoryOf(world);
  const isOfRound = (each: Taken) => each.method === 'withdraw' && each.body.roundid === body.roundid;
  if (method === 'deposit') {
    if (![...taken.values()].some(isOfRound) && !is('takes a deposit without a bet'))
      return error(422, 'UNHANDLED', 'Unexpected casino logic behavior. Win without bet');
    const isMore = ended.has(body.roundid ?? '') && !taken.has(body.txid ?? '');
    if (isMore && !is('takes a deposit after the end')) return error(400, 'INVALID_PARAMETERS', 'the round has ended');
    if (body.amount === 0 && is('refuses a deposit of nothing')) return error(400, 'INVALID_PARAMETERS', 'amount is 0');
  }
  if (method !== 'rollback') return undefined;
  if (original === undefined)
    return is('rolls back what it does not know')
      ? undefined
      : error(404, 'TRANSACTION_NOT_FOUND', 'no such originaltxid');
  const isBet = original.method === 'withdraw' && original.body.amount === body.amount && isOfRound(original);
  if (!isBet && !is('rolls back a deposit'))
    return error(400, 'INVALID_PARAMETERS', 'originaltxid is no withdraw of this round and amount');
  const isDone = [...taken.values()].some((each) => each.body.originaltxid === body.originaltxid);
  if (isDone && !is('rolls back again and again')) return error(400, 'INVALID_TXID', 'it is rolled back already');
  return undefined;
}
