import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import { amountOf, textOf } from '../kit/amounts.ts';
import { decimalsOf, RPC_PATH, RPCS, type Rpc, SIGNATURE_HEADER, signatureOf } from './wire.ts';

export const BREAKAGES = [
  'takes any signature',
  'checks the signature of other bytes',
  'takes a repeated bet again',
  'pays a repeated win again',
  'refuses a repeated bet',
  'takes another amount under a known id',
  'plays without money',
  'takes a part of a refused request',
  'refuses to roll back an unknown bet',
  'takes a bet after its rollback',
  'returns a bet twice',
  'refuses a repeated rollback',
  'names another round',
  'leaves transactions out',
  'writes balances as numbers',
  'shows the balance before',
  'pays whole units only',
  'takes any currency',
  'takes amounts with exponents',
  'refuses the win of an expired session',
  'needs a win to finish a round',
  'pays for unknown free spins',
] as const;

type Fields = Readonly<Record<string, unknown>>;
type Player = { player: string; currency: string };
type Round = { player: string; game: string; hasBet: boolean; isFinished: boolean };
type Handler = (fields: Fields, player: Player, world: World) => object;

const MAX_CHARACTERS = 255;
/**
 * The books have the sum of free spins under this and the issue_id: a Finish names no transaction.
 */
export const FINISH_PREFIX = 'freespins/';

/** The wallet API. What it refuses changes nothing. */
export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  try {
    const rpc = RPCS.find((each) => request.path === `${RPC_PATH}${each}`);
    if (rpc === undefined || request.method !== 'POST') throw new Refusal('404', 'no such method', 'bad_route');
    if (!isTrusted(request, world)) throw new Refusal('403', 'wrong signature', 'permission_denied');
    const fields = parsed(request.body);
    const player = rpc === 'Freespins/Finish' ? { player: '', currency: '' } : playerOf(fields, world);
    return { status: 200, body: JSON.stringify(HANDLERS[rpc](fields, player, world)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { apiCode, message, code } = error;
    const status = code === 'permission_denied' ? 403 : 400;
    return { status, body: JSON.stringify({ code, msg: message, meta: { api_code: apiCode, api_message: message } }) };
  }
}

/** Becomes an error of Twirp with the aggregator's api_code. */
class Refusal extends Error {
  readonly apiCode: string;
  readonly code: string;
  constructor(apiCode: string, message: string, code = 'invalid_argument') {
    super(message);
    this.apiCode = apiCode;
    this.code = code;
  }
}

function isTrusted({ headers, body }: WalletApiRequest, { isInstant, keys, broken }: World): boolean {
  if (isInstant || broken === 'takes any signature') return true;
  const other = broken === 'checks the signature of other bytes';
  const bytes = other ? JSON.stringify(JSON.parse(String(body))) : body;
  return headers[SIGNATURE_HEADER] === signatureOf(bytes, keys.secret);
}

function parsed(body: Buffer): Fields {
  try {
    const value: unknown = JSON.parse(String(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // A body that is not JSON is refused like one that is not an object.
  }
  throw new Refusal('400', 'the body is no JSON object');
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > MAX_CHARACTERS)
    throw new Refusal('400', `${name}: value is required`);
  return value;
}

function playerOf(fields: Fields, { books, tokens, broken }: World): Player {
  const player = text(fields, 'account_id');
  const currency = text(fields, 'currency');
  if (!books.isOpen(player, currency)) {
    const account = books.accounts().find((each) => each.player === player);
    if (account === undefined) throw new Refusal('101', 'Player is invalid or not found');
    if (broken !== 'takes any currency') throw new Refusal('154', 'Currency is not allowed for the player');
    return { player, currency: account.currency };
  }
  const session = fields.session_id === undefined ? undefined : tokens.find(text(fields, 'session_id'));
  if (fields.session_id !== undefined && (session?.player !== player || session.currency !== currency))
    throw new Refusal('400', 'session_id: is of another player');
  return { player, currency };
}

const HANDLERS: Readonly<Record<Rpc, Handler>> = {
  'Player/Balance'(fields, player, world) {
    text(fields, 'game_id');
    return { balance: balanceOf(world, player) };
  },
  'Round/BetWin': betWin,
  'Round/Finish'(fields, player, world) {
    const { round } = roundOf(text(fields, 'round_id'), player, world);
    if (!round.hasBet) throw new Refusal('404', 'there is no such round', 'not_found');
    if (world.broken === 'needs a win to finish a round') throw new Refusal('400', 'the round has no win');
    round.isFinished = true;
    return { balance: balanceOf(world, player) };
  },
  'Round/Rollback': rollback,
  'Freespins/Finish': finishFreeSpins,
};

function balanceOf({ books, broken }: World, { player, currency }: Player, before?: bigint): unknown {
  const shown =
    broken === 'shows the balance before' && before !== undefined ? before : books.balance(player, currency);
  const balance = textOf(shown, decimalsOf(currency));
  return broken === 'writes balances as numbers' ? Number(balance) : balance;
}

/** A new round is kept only when `keep` is called. */
function roundOf(roundID: string, { player }: Player, { memory }: World, game = '') {
  const key = `round ${roundID}`;
  const known = memory.get(key) as Round | undefined;
  if (known !== undefined && (known.player !== player || (game !== '' && known.game !== game)))
    throw new Refusal('400', 'round_id: is of another player or game');
  const round = known ?? { player, game, hasBet: false, isFinished: false };
  return { round, keep: () => void memory.set(key, round) };
}

type Transaction = { type: 'bet' | 'win'; id: string; amount: bigint };

function transactionsOf(fields: Fields): Fields[] {
  const { transactions } = fields;
  if (!Array.isArray(transactions) || transactions.length === 0)
    throw new Refusal('400', 'transactions: value must contain at least 1 item');
  const ids = transactions.map((each) => text(each ?? {}, 'id_provider'));
  if (new Set(ids).size < ids.length) throw new Refusal('400', 'id_provider: value must be unique');
  return transactions;
}

function readTransaction(fields: Fields, decimals: number, { broken }: World): Transaction {
  const { type, amount: written } = fields;
  if (type !== 'bet' && type !== 'win') throw new Refusal('400', 'type: value must be one of bet, win');
  const isLoose = broken === 'takes amounts with exponents' && Number.isFinite(Number(written));
  const amount = isLoose ? BigInt(Math.round(Number(written) * 10 ** decimals)) : amountOf(written, decimals);
  if (amount === undefined) throw new Refusal('400', 'amount: value must match the Money Amount format');
  const unit = 10n ** BigInt(decimals);
  const isCut = broken === 'pays whole units only' && type === 'win';
  return { type, id: text(fields, 'id_provider'), amount: isCut ? (amount / unit) * unit : amount };
}

function betWin(fields: Fields, player: Player, world: World): object {
  const { books, memory, broken } = world;
  const game = text(fields, 'game_id');
  const roundID = text(fields, 'round_id');
  if (typeof fields.finished !== 'boolean') throw new Refusal('400', 'finished: value must be a boolean');
  const decimals = decimalsOf(player.currency);
  const all = transactionsOf(fields).map((each) => readTransaction(each, decimals, world));
  const { round, keep } = roundOf(roundID, player, world, game);
  const before = books.balance(player.player, player.currency);
  const fresh = all.filter((each) => isFresh(each, { player, roundID, world }));
  if (fresh.length < all.length && broken === 'refuses a repeated bet' && all.some(({ type }) => type === 'bet'))
    throw new Refusal('409', 'Already exists', 'already_exists');
  if (fresh.some(({ id }) => books.find(id) === undefined) && round.isFinished)
    throw new Refusal('400', 'the round is finished');
  if (fresh[0]?.type === 'win' && !round.hasBet) throw new Refusal('400', 'the round has no bet');
  refuseWin(fields, fresh, world);
  refuseTooMuch(fresh, { before, player, roundID, world });
  for (const { id, type, amount } of fresh) {
    const again = repeats(type, broken) && books.find(id) !== undefined;
    const move = { ...player, id: again ? `${id} again ${memory.size}` : id, kind: type, amount, round: roundID };
    if (again) memory.set(move.id, true);
    books.move(move);
    round.hasBet = true;
  }
  if (fields.finished) round.isFinished = true;
  keep();
  const transactions = all.map(({ id }) => ({ id: `a8r-${id}`, id_provider: id, bonus_amount: '0' }));
  return responseOf(world, { player, before, roundID, transactions });
}

function repeats(type: 'bet' | 'win', broken: string | undefined): boolean {
  return broken === (type === 'bet' ? 'takes a repeated bet again' : 'pays a repeated win again');
}

type Place = { player: Player; roundID: string; world: World };

/**
 * A known id with the same content moves nothing, and neither does one that was rolled back before.
 */
function isFresh({ id, type, amount }: Transaction, { player, roundID, world }: Place): boolean {
  const { books, memory, broken } = world;
  if (memory.has(`rolled back ${id}`) && broken !== 'takes a bet after its rollback') return false;
  const known = books.find(id);
  if (known === undefined) return true;
  const isSame = known.kind === type && known.player === player.player && known.round === roundID;
  if (!isSame || (known.amount !== amount && broken !== 'takes another amount under a known id'))
    throw new Refusal('409', 'Already exists', 'already_exists');
  return repeats(type, broken);
}

function refuseWin(fields: Fields, fresh: readonly Transaction[], { tokens, broken }: World): void {
  const isWin = fresh.some(({ type }) => type === 'win');
  if (broken !== 'refuses the win of an expired session' || !isWin) return;
  if (tokens.find(String(fields.session_id))?.isExpired) throw new Refusal('101', 'the session has expired');
}

/** All transactions of a request are done, or none. They are done in their order. */
function refuseTooMuch(fresh: readonly Transaction[], { before, player, roundID, world }: Place & { before: bigint }) {
  const { books, broken } = world;
  let left = before;
  for (const { id, type, amount } of fresh) {
    left += type === 'bet' ? -amount : amount;
    if (left >= 0n) continue;
    if (broken === 'plays without money') return;
    const [first] = fresh;
    if (broken === 'takes a part of a refused request' && first !== undefined && first.id !== id)
      books.move({ ...player, id: first.id, kind: first.type, amount: first.amount, round: roundID });
    throw new Refusal('100', 'Player has not enough funds to process an action');
  }
}

function rollback(fields: Fields, player: Player, world: World): object {
  const { books, memory, broken } = world;
  const game = text(fields, 'game_id');
  const roundID = text(fields, 'round_id_provider');
  if (fields.finished !== true) throw new Refusal('400', 'finished: value must be true');
  const { round, keep } = roundOf(roundID, player, world, game);
  const before = books.balance(player.player, player.currency);
  const all = transactionsOf(fields).map((each) => {
    if (each.type !== 'rollback') throw new Refusal('400', 'type: value must be rollback');
    return { id: text(each, 'id_provider'), original: text(each, 'original_id_provider') };
  });
  for (const { id, original } of all) {
    const [known, bet] = [books.find(id), books.find(original)];
    if (known !== undefined && (known.ref !== original || broken === 'refuses a repeated rollback'))
      throw new Refusal('409', 'Already exists', 'already_exists');
    if (bet !== undefined && (bet.kind !== 'bet' || bet.round !== roundID || bet.player !== player.player))
      throw new Refusal('400', 'original_id_provider: is no bet of the round');
    if (bet === undefined && broken === 'refuses to roll back an unknown bet')
      throw new Refusal('404', 'there is no such transaction', 'not_found');
  }
  for (const { id, original } of all) {
    if (books.find(id) !== undefined) continue;
    const isDone = memory.has(`rolled back ${original}`) && broken !== 'returns a bet twice';
    const amount = isDone ? 0n : (books.find(original)?.amount ?? 0n);
    books.move({ ...player, id, kind: 'rollback', amount, round: roundID, ref: original });
    memory.set(`rolled back ${original}`, true);
  }
  if (broken !== 'takes a bet after its rollback') round.isFinished = true;
  keep();
  const transactions = all.map(({ id }) => ({ id: `a8r-${id}`, id_provider: id }));
  return responseOf(world, { player, before, roundID, transactions });
}

type Done = { player: Player; before: bigint; roundID: string; transactions: object[] };

function responseOf(world: World, { player, before, roundID, transactions }: Done): object {
  const { broken } = world;
  return {
    round_id: broken === 'names another round' ? `a8r-${roundID}` : roundID,
    balance: balanceOf(world, player, before),
    transactions: broken === 'leaves transactions out' ? [] : transactions,
  };
}

/** It names the issue alone. A repetition pays nothing. */
function finishFreeSpins(fields: Fields, _player: Player, world: World): object {
  const { books, grants, broken } = world;
  const issue = text(fields, 'issue_id');
  const grant = grants.get(issue);
  const anybody = broken === 'pays for unknown free spins' ? books.accounts()[0] : undefined;
  const { player, currency } = grant ?? anybody ?? {};
  if (player === undefined || currency === undefined) throw new Refusal('610', 'Invalid freespins issue');
  const amount = amountOf(fields.amount, decimalsOf(currency));
  if (amount === undefined) throw new Refusal('400', 'amount: value must match the Money Amount format');
  const id = `${FINISH_PREFIX}${issue}`;
  if (books.find(id) === undefined) books.move({ id, kind: 'win', player, currency, amount, round: id });
  return { balance: balanceOf(world, { player, currency }) };
}
