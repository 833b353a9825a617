import { createHash } from 'node:crypto';
import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import { amountOf, textOf } from '../kit/amounts.ts';
import { CALLBACK, decimalsOf, FORM, formOf, MERCHANT, type Params, signatureOf, signedText } from './wire.ts';

export const BREAKAGES = [
  'takes any signature',
  'encodes like a browser',
  'signs no nested values',
  'takes old requests',
  'takes another merchant',
  'refuses with a status',
  'knows every player',
  'knows one game of a session',
  'refuses the win of an expired session',
  'refuses an amount of 0',
  'pays whole units only',
  'plays without money',
  'shows the balance before',
  'leaves the transaction id out',
  'names a repeated transaction anew',
  'takes a repeated bet again',
  'pays a repeated win again',
  'refuses to refund an unknown bet',
  'takes a bet after its refund',
  'refunds a bet twice',
  'refunds a win',
  'needs a round to refund',
  'rolls back the whole round',
  'rolls back twice',
] as const;

type Fields = Readonly<Record<string, string | undefined>>;
type Player = { player: string; currency: string };
type Action = (fields: Fields, player: Player, world: World) => Done;
/** id: the wallet's own id of what was done. */
type Done = { id?: string; before?: bigint; rolledBack?: string[] };

const WINDOW_SECONDS = 30;

/** The status of the callback is always 200, and what it refuses changes nothing. */
export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  try {
    if (request.path !== CALLBACK || request.method !== 'POST') throw new Refusal('there is no such callback');
    const params: Params = [...new URLSearchParams(String(request.body))];
    if (!world.isInstant) checkHeaders(request, params, world);
    const fields: Fields = Object.fromEntries(params);
    const act = Object.hasOwn(ACTIONS, fields.action ?? '') ? ACTIONS[fields.action ?? ''] : undefined;
    if (act === undefined) throw new Refusal('action: is not known');
    const player = playerOf(fields, world);
    return { status: 200, body: JSON.stringify(bodyOf(act(fields, player, world), player, world)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errorCode: error_code, message: error_description } = error;
    const status = world.broken === 'refuses with a status' ? 400 : 200;
    return { status, body: JSON.stringify({ error_code, error_description }) };
  }
}

class Refusal extends Error {
  readonly errorCode: string;
  constructor(message: string, errorCode = 'INTERNAL_ERROR') {
    super(message);
    this.errorCode = errorCode;
  }
}

function checkHeaders({ headers }: WalletApiRequest, params: Params, { keys, broken }: World): void {
  const header = (name: string) => String(headers[name] ?? '');
  const [merchant, timestamp, nonce] = [header('x-merchant-id'), header('x-timestamp'), header('x-nonce')];
  if (!header('content-type').startsWith(FORM)) throw new Refusal('the body must be a form');
  if (merchant !== MERCHANT && broken !== 'takes another merchant') throw new Refusal('X-Merchant-Id: is not known');
  const distance = Math.abs(Number(timestamp) - Date.now() / 1000);
  if (!(distance <= WINDOW_SECONDS) && broken !== 'takes old requests') throw new Refusal('X-Timestamp: is expired');
  if (nonce === '') throw new Refusal('X-Nonce: is missing');
  const isBrowser = broken === 'encodes like a browser';
  const write = isBrowser ? (all: Params) => String(new URLSearchParams(all.map(([...pair]) => pair))) : formOf;
  const signed = signedText(withoutNested(params, broken), { merchant, timestamp, nonce }, write);
  if (header('x-sign') !== signatureOf(signed, keys.secret) && broken !== 'takes any signature')
    throw new Refusal('X-Sign: is wrong');
}

function withoutNested(params: Params, broken: string | undefined): Params {
  return broken === 'signs no nested values' ? params.filter(([name]) => !name.includes('[')) : params;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === '' || value.length > 255) throw new Refusal(`${name}: is missing`);
  return value;
}

/** A session is not needed for a balance, and an expired one takes no bets. */
function playerOf(fields: Fields, { books, tokens, broken }: World): Player {
  const player = text(fields, 'player_id');
  const currency = text(fields, 'currency');
  const [first] = broken === 'knows every player' ? books.accounts() : [];
  if (!books.isOpen(player, currency)) {
    if (first !== undefined) return { player: first.player, currency: first.currency };
    throw new Refusal('player_id, currency: there is no such account');
  }
  if (fields.action === 'balance' && fields.session_id === undefined) return { player, currency };
  const session = tokens.find(text(fields, 'session_id'));
  if (session?.player !== player) throw new Refusal('session_id: is of another player');
  const needsLive = fields.action === 'bet' || broken === 'refuses the win of an expired session';
  if (session.isExpired && needsLive) throw new Refusal('session_id: is expired');
  const isBound = broken === 'knows one game of a session' && fields.game_uuid !== undefined;
  if (isBound && fields.game_uuid !== session.gameID) throw new Refusal('game_uuid: is another one');
  return { player, currency };
}

const ACTIONS: Readonly<Record<string, Action>> = {
  balance: () => ({}),
  bet: (fields, player, world) => move('bet', fields, { player, world }),
  win: (fields, player, world) => move('win', fields, { player, world }),
  refund,
  rollback,
};

type Place = { player: Player; world: World };

function move(kind: 'bet' | 'win', fields: Fields, { player, world }: Place): Done {
  const { books, memory, broken } = world;
  const id = text(fields, 'transaction_id');
  const amount = amountIn(fields, player, world);
  text(fields, 'game_uuid');
  if (!TYPES[kind].includes(text(fields, 'type'))) throw new Refusal('type: is not known');
  if (!['0', '1', undefined].includes(fields.finished)) throw new Refusal('finished: must be 0 or 1');
  const round = fields.round_id ?? '';
  const before = books.balance(player.player, player.currency);
  const known = books.find(id);
  if (known !== undefined) {
    const isSame = known.kind === kind && known.player === player.player && known.amount === amount;
    if (!isSame) throw new Refusal('transaction_id: was used for another transaction');
    const again = `${id} again ${memory.size}`;
    memory.set(again, true);
    if (broken === (kind === 'bet' ? 'takes a repeated bet again' : 'pays a repeated win again'))
      books.move({ id: again, kind, ...player, amount, round });
    return { id: broken === 'names a repeated transaction anew' ? again : id, before };
  }
  if (kind === 'bet' && memory.has(`cancelled ${id}`) && broken !== 'takes a bet after its refund')
    return { id, before };
  const moved = books.move({ id, kind, ...player, amount, round });
  if (moved === 'insufficient' && broken !== 'plays without money')
    throw new Refusal('Not enough money to continue playing', 'INSUFFICIENT_FUNDS');
  return { id, before };
}

const TYPES = {
  bet: ['bet', 'tip', 'freespin'],
  win: ['win', 'jackpot', 'freespin', 'bonus', 'promo', 'prize_drop', 'tournament'],
};

function amountIn(fields: Fields, { currency }: Player, { broken }: World): bigint {
  const decimals = decimalsOf(currency);
  const amount = amountOf(fields.amount, decimals);
  if (amount === undefined) throw new Refusal('amount: must be a decimal');
  if (amount === 0n && broken === 'refuses an amount of 0') throw new Refusal('amount: must be above 0');
  const unit = 10n ** BigInt(decimals);
  return broken === 'pays whole units only' && fields.action === 'win' ? (amount / unit) * unit : amount;
}

/** A bet is refunded once, whatever the ids of the refunds. One of an unknown bet is kept. */
function refund(fields: Fields, player: Player, world: World): Done {
  const { books, memory, broken } = world;
  const id = text(fields, 'transaction_id');
  const ref = text(fields, 'bet_transaction_id');
  const amount = amountIn(fields, player, world);
  text(fields, 'game_uuid');
  if (broken === 'needs a round to refund') text(fields, 'round_id');
  const before = books.balance(player.player, player.currency);
  const earlier = memory.get(`cancelled ${ref}`) as string | undefined;
  if (earlier !== undefined && broken !== 'refunds a bet twice') return { id: earlier, before };
  const bet = books.find(ref);
  if (bet === undefined && broken === 'refuses to refund an unknown bet')
    throw new Refusal('bet_transaction_id: there is no such bet');
  if (bet?.kind === 'win' && broken !== 'refunds a win') return { id, before };
  if (bet !== undefined && bet.amount !== amount) throw new Refusal('amount: is not that of the bet');
  const round = fields.round_id ?? bet?.round ?? '';
  books.move({ id, kind: 'rollback', ...player, amount: bet?.amount ?? 0n, round, ref });
  memory.set(`cancelled ${ref}`, id);
  return { id, before };
}

const LISTED = /^rollback_transactions\[(\d{1,4})\]\[transaction_id\]$/;

/** Cancels the listed transactions, and no others. */
function rollback(fields: Fields, player: Player, world: World): Done {
  const { books, memory, broken } = world;
  const id = text(fields, 'transaction_id');
  const listed = Object.entries(fields).flatMap(([name, value]) => (LISTED.test(name) && value ? [value] : []));
  if (listed.length === 0) throw new Refusal('rollback_transactions: is missing');
  if (text(fields, 'type') !== 'rollback') throw new Refusal('type: must be rollback');
  const before = books.balance(player.player, player.currency);
  const rounds = listed.flatMap((each) => books.find(each)?.round ?? []);
  const ofRounds = rounds.flatMap((round) => books.ofRound(round).map((entry) => entry.id));
  const all = broken === 'rolls back the whole round' ? [...new Set([...listed, ...ofRounds])] : listed;
  for (const each of all) {
    if (memory.has(`cancelled ${each}`) && broken !== 'rolls back twice') continue;
    const entry = books.find(each);
    const gain = entry === undefined ? 0n : entry.kind === 'bet' ? entry.amount : -entry.amount;
    const name = `${id}/${each}/${memory.size}`;
    books.move({ id: name, kind: 'rollback', ...player, amount: gain, round: entry?.round ?? '', ref: each });
    memory.set(`cancelled ${each}`, id);
  }
  return { id, before, rolledBack: listed };
}

function bodyOf({ id, before, rolledBack }: Done, { player, currency }: Player, { books, broken }: World): object {
  const isBefore = broken === 'shows the balance before' && before !== undefined;
  const balance = Number(textOf(isBefore ? before : books.balance(player, currency), decimalsOf(currency)));
  if (id === undefined) return { balance };
  const transaction_id = createHash('md5').update(id).digest('hex');
  return {
    balance,
    ...(broken !== 'leaves the transaction id out' && { transaction_id }),
    ...(rolledBack && { rollback_transactions: rolledBack }),
  };
}
