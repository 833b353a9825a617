import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import type { Entry, Move } from '../kit/books.ts';
import type { Tokens } from '../kit/tokens.ts';
import { isSignature, SIGNATURE_HEADER } from './wire.ts';

export const BREAKAGES = [
  'takes any signature',
  'takes a request without a signature',
  'gives errors another HTTP status',
  'responds with another request_uuid',
  'processes a request_uuid twice',
  'gives the balance in whole units',
  'takes text as an amount',
  'takes a bet twice',
  'takes a known transaction_uuid with another amount',
  'takes a bet above the balance',
  'takes a bet with an expired token',
  'takes an unknown token',
  'takes another currency',
  'takes another user',
  'takes an unknown game',
  'takes an unknown reward',
  'pays a win twice',
  'pays a win without a bet',
  'pays a win of a bet that was rolled back',
  'refuses a win with an expired token',
  'refuses a rollback with an expired token',
  'rolls back twice',
  'forgets the rollback of an unknown bet',
] as const;
type Breakage = (typeof BREAKAGES)[number];

/** The fields of all requests; a request has those of its path. */
type Fields = {
  user: string;
  supplier_user?: string;
  token: string;
  request_uuid: string;
  game_code: string;
  transaction_uuid: string;
  reference_transaction_uuid: string;
  round: string;
  round_closed: boolean;
  currency: string;
  amount: number;
  is_free: boolean;
  reward_uuid?: string;
};
type Session = NonNullable<ReturnType<Tokens['find']>>;
type Asked = { fields: Fields; session: Session; world: World };

const COMMON = { user: 'string', token: 'string', request_uuid: 'uuid', game_code: 'string' };
const MOVED = { ...COMMON, transaction_uuid: 'uuid', round: 'string', round_closed: 'boolean', currency: 'string' };
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/user/balance': COMMON,
  '/transaction/bet': { ...MOVED, amount: 'amount', is_free: 'boolean' },
  '/transaction/win': { ...MOVED, amount: 'amount', is_free: 'boolean', reference_transaction_uuid: 'uuid' },
  '/transaction/rollback': { ...MOVED, reference_transaction_uuid: 'uuid' },
};
const OPTIONAL = ['supplier_user', 'reward_uuid', 'meta', 'bet', 'is_supplier_promo'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isBroken = ({ broken }: World, breakage: Breakage) => broken === breakage;

export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  const { method, path, body } = request;
  if (method !== 'POST' || SHAPES[path] === undefined) return { status: 404, body: '{"error":"not found"}' };
  const fields = parse(body);
  const known = world.memory.get(`request ${fields?.request_uuid}`) as WalletApiResponse | undefined;
  const isRepeated = known !== undefined && path !== '/user/balance' && isSigned(request, world);
  if (isRepeated && !isBroken(world, 'processes a request_uuid twice')) return known;
  const status = judge(request, fields, world);
  const response = responseOf(status, fields, world);
  if (!world.isInstant && status !== 'RS_ERROR_INVALID_SIGNATURE' && fields !== undefined)
    world.memory.set(`request ${fields.request_uuid}`, response);
  return response;
}

function responseOf(status: string, fields: Fields | undefined, world: World): WalletApiResponse {
  const session = world.tokens.find(String(fields?.token));
  const wallet = session && {
    user: session.player,
    currency: session.currency,
    balance: Number(world.books.balance(session.player, session.currency)),
  };
  if (wallet && isBroken(world, 'gives the balance in whole units')) wallet.balance /= 100_000;
  const isOther = isBroken(world, 'responds with another request_uuid');
  const request_uuid = isOther ? '00000000-0000-4000-8000-000000000000' : fields?.request_uuid;
  const httpStatus = status !== 'RS_OK' && isBroken(world, 'gives errors another HTTP status') ? 400 : 200;
  return { status: httpStatus, body: JSON.stringify({ ...wallet, status, request_uuid }) };
}

function parse(body: Buffer): Fields | undefined {
  try {
    const parsed = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isSigned({ headers, body }: WalletApiRequest, world: World): boolean {
  const signature = headers[SIGNATURE_HEADER];
  if (world.isInstant || isBroken(world, 'takes any signature')) return true;
  if (typeof signature !== 'string') return isBroken(world, 'takes a request without a signature');
  return isSignature(signature, body, world.keys.supplier.publicKey);
}

/** Returns the status, in the order of the checks. Money has moved when it is RS_OK. */
function judge(request: WalletApiRequest, fields: Fields | undefined, world: World): string {
  const { path } = request;
  if (!isSigned(request, world)) return 'RS_ERROR_INVALID_SIGNATURE';
  if (fields === undefined) return 'RS_ERROR_WRONG_SYNTAX';
  const issue = shapeIssue(fields, SHAPES[path] ?? {}, world);
  if (issue !== undefined) return issue;
  const session = world.tokens.find(fields.token);
  if (session === undefined) return isBroken(world, 'takes an unknown token') ? 'RS_OK' : 'RS_ERROR_INVALID_TOKEN';
  if (world.memory.has(`opening ${fields.token}`)) return 'RS_ERROR_INVALID_TOKEN';
  if (session.player !== fields.user && !isBroken(world, 'takes another user')) return 'RS_ERROR_INVALID_TOKEN';
  if (session.isExpired && checksExpiry(path, world)) return 'RS_ERROR_TOKEN_EXPIRED';
  if (session.gameID !== fields.game_code && !isBroken(world, 'takes an unknown game')) return 'RS_ERROR_INVALID_GAME';
  if (path === '/user/balance') return 'RS_OK';
  if (session.currency !== fields.currency && !isBroken(world, 'takes another currency'))
    return 'RS_ERROR_WRONG_CURRENCY';
  const asked = { fields, session, world };
  if (path === '/transaction/bet') return bet(asked);
  return path === '/transaction/win' ? win(asked) : rollback(asked);
}

function checksExpiry(path: string, world: World): boolean {
  if (path === '/transaction/win') return isBroken(world, 'refuses a win with an expired token');
  if (path === '/transaction/rollback') return isBroken(world, 'refuses a rollback with an expired token');
  return path !== '/transaction/bet' || !isBroken(world, 'takes a bet with an expired token');
}

function shapeIssue(fields: Fields, shape: Readonly<Record<string, string>>, world: World): string | undefined {
  const given = Object.keys(fields);
  const unknown = given.filter((name) => shape[name] === undefined && !OPTIONAL.includes(name));
  if (unknown.length > 0 || Object.keys(shape).some((name) => !given.includes(name))) return 'RS_ERROR_WRONG_SYNTAX';
  const wrong = Object.entries(shape).filter(([name, type]) => !isOfType(fields[name as keyof Fields], type));
  if (wrong.length === 0 || isBroken(world, 'takes text as an amount')) return undefined;
  return 'RS_ERROR_WRONG_TYPES';
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'uuid') return typeof value === 'string' && UUID.test(value);
  if (type === 'amount') return Number.isSafeInteger(value) && Number(value) >= 0;
  return typeof value === type && value !== '';
}

function moveOf({ fields, session: { player, currency } }: Asked, move: Pick<Move, 'kind' | 'amount'>): Move {
  const { transaction_uuid: id, round, reference_transaction_uuid: ref, game_code, reward_uuid } = fields;
  return { id, player, currency, round, ref, note: JSON.stringify([game_code, reward_uuid]), ...move };
}

/** Returns the status of a transaction_uuid that was processed before. */
function repeated(asked: Asked, move: Move): string | undefined {
  const { books, broken } = asked.world;
  const known = books.find(move.id);
  if (known === undefined) return undefined;
  const fields = ['kind', 'player', 'currency', 'amount', 'round', 'ref', 'note'] as const;
  if (fields.every((field) => known[field] === move[field])) {
    const isTwice =
      (move.kind === 'bet' && broken === 'takes a bet twice') || (move.kind === 'win' && broken === 'pays a win twice');
    if (isTwice) books.move({ ...move, id: `${move.id} ${books.entries().length}` });
    return 'RS_OK';
  }
  const isTaken = broken === 'takes a known transaction_uuid with another amount';
  return isTaken ? 'RS_OK' : 'RS_ERROR_DUPLICATE_TRANSACTION';
}

function bet(asked: Asked): string {
  const { fields, world } = asked;
  const { books, memory, broken } = world;
  const move = moveOf(asked, { kind: 'bet', amount: BigInt(fields.amount) });
  const before = repeated(asked, move);
  if (before !== undefined) return before;
  const isRolledBack = memory.has(`rolled back ${move.id}`);
  if (isRolledBack && broken !== 'forgets the rollback of an unknown bet') return 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST';
  const issue = rewardIssue(asked);
  if (issue !== undefined) return issue;
  if (isClosed(asked)) return 'RS_ERROR_WRONG_SYNTAX';
  if (books.move(move) === 'insufficient')
    return broken === 'takes a bet above the balance' ? 'RS_OK' : 'RS_ERROR_NOT_ENOUGH_MONEY';
  close(asked);
  return 'RS_OK';
}

/** A free bet takes nothing, and its reward has a round left. */
function rewardIssue({ fields, session, world }: Asked): string | undefined {
  const { is_free, reward_uuid, amount } = fields;
  if (!is_free) return reward_uuid === undefined ? undefined : 'RS_ERROR_WRONG_SYNTAX';
  if (world.broken === 'takes an unknown reward') return undefined;
  const grant = world.grants.get(reward_uuid ?? '');
  const { player, currency, gameID } = session;
  if (grant === undefined || grant.player !== player || grant.currency !== currency || grant.gameID !== gameID)
    return 'RS_ERROR_WRONG_SYNTAX';
  if (amount !== 0) return 'RS_ERROR_WRONG_SYNTAX';
  const bets = world.books.entries().filter(({ kind, note }) => kind === 'bet' && note?.includes(grant.id));
  const used = bets.filter(({ id }) => !world.memory.has(`rolled back ${id}`)).length;
  return used < grant.rounds ? undefined : 'RS_ERROR_LIMIT_REACHED';
}

function isClosed({ fields: { round }, session: { player }, world }: Asked): boolean {
  return world.memory.has(`closed ${player} ${round}`);
}

function close({ fields: { round, round_closed }, session: { player }, world }: Asked): void {
  if (round_closed) world.memory.set(`closed ${player} ${round}`, true);
}

/** The bet of this player and round that the request refers to. */
function betOf({ fields, session, world }: Asked): Entry | undefined {
  const found = world.books.find(fields.reference_transaction_uuid);
  const isIt = found?.kind === 'bet' && found.player === session.player && found.round === fields.round;
  return isIt ? found : undefined;
}

function win(asked: Asked): string {
  const { fields, world } = asked;
  const { books, memory, broken } = world;
  const move = moveOf(asked, { kind: 'win', amount: BigInt(fields.amount) });
  const before = repeated(asked, move);
  if (before !== undefined) return before;
  const ofBet = betOf(asked);
  if (ofBet === undefined && broken !== 'pays a win without a bet') return 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST';
  const isRolledBack = memory.has(`rolled back ${fields.reference_transaction_uuid}`);
  if (isRolledBack && broken !== 'pays a win of a bet that was rolled back')
    return 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST';
  if (ofBet !== undefined && ofBet.note !== move.note) return 'RS_ERROR_WRONG_SYNTAX';
  if (isClosed(asked)) return 'RS_ERROR_WRONG_SYNTAX';
  books.move(move);
  close(asked);
  return 'RS_OK';
}

/** An unknown bet is also rolled back: it is refused when it comes late. */
function rollback(asked: Asked): string {
  const { fields, world } = asked;
  const { books, memory, broken } = world;
  const ofBet = betOf(asked);
  const key = `rolled back ${fields.reference_transaction_uuid}`;
  const isFirst = !memory.has(key) || memory.get(key) === fields.transaction_uuid || broken === 'rolls back twice';
  const move = moveOf(asked, { kind: 'rollback', amount: isFirst ? (ofBet?.amount ?? 0n) : 0n });
  const rolledBack = { ...move, note: ofBet?.note ?? move.note };
  const before = repeated(asked, rolledBack);
  if (before !== undefined) return before;
  if (ofBet !== undefined && books.ofRound(fields.round).some(({ kind, ref }) => kind === 'win' && ref === ofBet.id))
    return 'RS_ERROR_UNKNOWN';
  books.move(rolledBack);
  if (!memory.has(key)) memory.set(key, fields.transaction_uuid);
  return 'RS_OK';
}
