import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import { textOf } from '../kit/amounts.ts';
import { decimalsOf, METHODS, type Method, numberIn } from './wire.ts';

export const BREAKAGES = [
  'takes any auth token',
  'takes any sid',
  'refuses the credit of an expired sid',
  'refuses the cancel of an expired sid',
  'gives a new sid',
  'answers with another uuid',
  'refuses with a status of HTTP',
  'writes the balance as a word',
  'shows the balance before',
  'takes a repeated debit again',
  'pays a repeated credit again',
  'pays a second credit',
  'returns a bet twice',
  'takes a bet after its cancel',
  'credits an unknown bet',
  'pays a cancelled bet',
  'returns a paid bet',
  'returns what the cancel says',
  'needs a win to close a round',
  'pays whole units only',
  'plays without money',
  'takes any currency',
  'takes negative amounts',
] as const;

type Fields = Readonly<Record<string, unknown>>;
type Asked = { method: Method; fields: Fields; text: string; player: string; currency: string };
/** `id` is the transaction.id of the debit, `settledBy` that of the credit, or of the cancel. */
type Bet = { id: string; player: string; currency: string; round: string; amount: bigint; settledBy?: string };
type Transaction = { id: string; refId: string; amount: bigint; round: string; uuid: string };

const MAX_CHARACTERS = 250;
const MAX_PLAYER_CHARACTERS = 50;

/** Responds as the operator's wallet does. What it refuses changes nothing. */
export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  const text = String(request.body);
  const fields = parsed(text);
  const uuid = world.broken === 'answers with another uuid' ? 'another' : (fields.uuid ?? null);
  const answer = (status: string, members: string[] = []) => {
    const isHttpError = status !== 'OK' && world.broken === 'refuses with a status of HTTP';
    const body = [`"status":${JSON.stringify(status)}`, ...members, `"uuid":${JSON.stringify(uuid)}`].join(',');
    return { status: isHttpError ? 400 : 200, body: `{${body}}` };
  };
  try {
    const asked = ask(request, { fields, text, world });
    // A test says what a method fails with.
    const said = world.memory.get(`status of ${asked.method}`);
    if (typeof said === 'string') throw new Refusal(said);
    const { status, members } = HANDLERS[asked.method](asked, world);
    return answer(status, members);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return answer(error.message);
  }
}

/** The message is the status. */
class Refusal extends Error {}

type Outcome = { status: string; members: string[] };

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // A body that is not JSON has no members, so the first of them is missing.
  }
  return {};
}

type Received = { fields: Fields; text: string; world: World };

function ask({ method: verb, path }: WalletApiRequest, { fields, text, world }: Received): Asked {
  const { keys, isInstant, broken, books } = world;
  const url = new URL(path, 'http://wallet');
  const method = METHODS.find((each) => url.pathname === `/${each}`);
  if (method === undefined || verb !== 'POST') throw new Refusal('INVALID_PARAMETER');
  const isTrusted = isInstant || broken === 'takes any auth token';
  if (!isTrusted && url.searchParams.get('authToken') !== keys.secret) throw new Refusal('INVALID_TOKEN_ID');
  textIn(fields, 'uuid');
  const player = textIn(fields, 'userId', MAX_PLAYER_CHARACTERS);
  const currency = currencyOf(method, player, fields, world);
  if (!books.isOpen(player, currency)) throw new Refusal('INVALID_PARAMETER');
  const asked = { method, fields, text, player, currency };
  checkSession(asked, world);
  return asked;
}

function currencyOf(method: Method, player: string, fields: Fields, { books, broken }: World): string {
  const own = books.accounts().find((account) => account.player === player)?.currency;
  if (own === undefined) throw new Refusal('INVALID_PARAMETER');
  return method === 'check' || broken === 'takes any currency' ? own : textIn(fields, 'currency');
}

/** A credit and a cancel need no live sid, but never take that of another player. */
function checkSession({ method, fields, player, currency }: Asked, { tokens, broken }: World): void {
  const { sid } = fields;
  if (typeof sid !== 'string' || sid.length > MAX_CHARACTERS) throw new Refusal('INVALID_PARAMETER');
  const session = tokens.find(sid);
  const settles = method === 'credit' || method === 'cancel';
  if (broken === 'takes any sid' || (settles && sid === '')) return;
  if (session?.player !== player || (method !== 'check' && session.currency !== currency))
    throw new Refusal('INVALID_SID');
  const mustLive = !settles || broken === `refuses the ${method} of an expired sid`;
  if (mustLive && session.isExpired) throw new Refusal('INVALID_SID');
  if (method !== 'check' && tableOf(fields) !== session.gameID) throw new Refusal('INVALID_PARAMETER');
}

function textIn(fields: Fields, name: string, most = MAX_CHARACTERS): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '' || value.length > most) throw new Refusal('INVALID_PARAMETER');
  return value;
}

const objectIn = (fields: Fields, name: string): Fields => ({ ...(fields[name] as object | null | undefined) });

function tableOf(fields: Fields): string {
  const game = objectIn(fields, 'game');
  textIn(game, 'type');
  return textIn(objectIn(objectIn(game, 'details'), 'table'), 'id');
}

const HANDLERS: Readonly<Record<Method, (asked: Asked, world: World) => Outcome>> = {
  check({ fields }, { broken }) {
    const { type } = objectIn(fields, 'channel');
    if (type !== 'P' && type !== 'M') throw new Refusal('INVALID_PARAMETER');
    const sid = broken === 'gives a new sid' ? 'another' : fields.sid;
    return { status: 'OK', members: [`"sid":${JSON.stringify(sid)}`] };
  },
  balance: (asked, world) => outcome('OK', asked, world),
  debit,
  credit,
  cancel,
};

function outcome(status: string, { player, currency }: Asked, { books, broken }: World, before?: bigint): Outcome {
  const isOld = broken === 'shows the balance before' && before !== undefined;
  const decimals = decimalsOf(currency);
  const balance = textOf(isOld ? before : books.balance(player, currency), decimals);
  const shown = broken === 'writes the balance as a word' ? `"${balance} ${currency}"` : balance;
  return { status, members: [`"balance":${shown}`, `"bonus":${textOf(0n, decimals)}`] };
}

function transactionOf({ method, fields, text, currency }: Asked, { broken }: World): Transaction {
  const content = objectIn(fields, 'transaction');
  const isNumber = typeof content.amount === 'number';
  const amount = isNumber ? numberIn(text, 'amount', decimalsOf(currency)) : undefined;
  const isNegative = amount !== undefined && amount < 0n && broken !== 'takes negative amounts';
  if (amount === undefined || isNegative) throw new Refusal('INVALID_PARAMETER');
  if (method === 'credit' && amount === 0n && broken === 'needs a win to close a round')
    throw new Refusal('INVALID_PARAMETER');
  const round = textIn(objectIn(fields, 'game'), 'id');
  return { id: textIn(content, 'id'), refId: textIn(content, 'refId'), amount, round, uuid: String(fields.uuid) };
}

const betKey = (refId: string) => `bet ${refId}`;

/** refId is the key of a bet. A bet that was cancelled before it came is refused for good. */
function debit(asked: Asked, world: World): Outcome {
  const { books, memory, broken } = world;
  const { player, currency } = asked;
  const { id, refId, amount, round, uuid } = transactionOf(asked, world);
  const before = books.balance(player, currency);
  const isCancelled = memory.has(`cancelled ${refId}`) && broken !== 'takes a bet after its cancel';
  if (isCancelled || memory.has(`closed ${round}`)) throw new Refusal('FINAL_ERROR_ACTION_FAILED');
  const known = memory.get(betKey(refId)) as Bet | undefined;
  if (known !== undefined && broken !== 'takes a repeated debit again')
    return outcome(
      isSame(known, { id, player, round, amount }) ? 'BET_ALREADY_EXIST' : 'INVALID_PARAMETER',
      asked,
      world,
    );
  const moveID = known === undefined ? refId : `${refId} again ${memory.size}`;
  const isPaid = books.move({ id: moveID, kind: 'bet', player, currency, amount, round, note: uuid }) === 'moved';
  if (!isPaid && broken !== 'plays without money') throw new Refusal('INSUFFICIENT_FUNDS');
  memory.set(betKey(refId), { id, player, currency, round, amount: isPaid ? amount : 0n } satisfies Bet);
  return outcome('OK', asked, world, before);
}

function isSame(bet: Bet, { id, player, round, amount }: Pick<Bet, 'id' | 'player' | 'round' | 'amount'>): boolean {
  return bet.id === id && bet.player === player && bet.round === round && bet.amount === amount;
}

/** Finds the bet of a credit or a cancel. It must be of the same player and round. */
function betOf({ refId, round }: Transaction, { player, currency }: Asked, { memory }: World): Bet | undefined {
  const bet = memory.get(betKey(refId)) as Bet | undefined;
  if (bet !== undefined && (bet.player !== player || bet.currency !== currency || bet.round !== round))
    throw new Refusal('INVALID_PARAMETER');
  return bet;
}

/** The first credit closes the round, also one of 0. */
function credit(asked: Asked, world: World): Outcome {
  const { books, memory, broken } = world;
  const { player, currency } = asked;
  const transaction = transactionOf(asked, world);
  const { id, refId, round, uuid } = transaction;
  const before = books.balance(player, currency);
  const bet = betOf(transaction, asked, world);
  if (bet === undefined && broken !== 'credits an unknown bet') throw new Refusal('BET_DOES_NOT_EXIST');
  if (bet?.settledBy !== undefined && !paysAgain(bet, id, broken)) return outcome('BET_ALREADY_SETTLED', asked, world);
  const unit = 10n ** BigInt(decimalsOf(currency));
  const whole = broken === 'pays whole units only' ? (transaction.amount / unit) * unit : transaction.amount;
  const amount = whole < 0n ? 0n : whole;
  const moveID = books.find(id) === undefined ? id : `${id} again ${books.entries().length}`;
  books.move({ id: moveID, kind: 'win', player, currency, amount, round, ref: refId, note: uuid });
  if (bet !== undefined) bet.settledBy = id;
  memory.set(`closed ${round}`, true);
  return outcome('OK', asked, world, before);
}

function paysAgain({ id: betID, settledBy }: Bet, id: string, broken: string | undefined): boolean {
  if (settledBy === betID) return broken === 'pays a cancelled bet';
  return broken === (settledBy === id ? 'pays a repeated credit again' : 'pays a second credit');
}

/** transaction.id is that of the debit. The bet decides the amount. */
function cancel(asked: Asked, world: World): Outcome {
  const { books, memory, broken } = world;
  const { player, currency } = asked;
  const transaction = transactionOf(asked, world);
  const { id, refId, round, uuid } = transaction;
  const before = books.balance(player, currency);
  const bet = betOf(transaction, asked, world);
  if (bet === undefined) {
    memory.set(`cancelled ${refId}`, true);
    books.move({ id: `cancel ${refId}`, kind: 'rollback', player, currency, amount: 0n, round, note: uuid });
    throw new Refusal('BET_DOES_NOT_EXIST');
  }
  if (bet.id !== id) throw new Refusal('INVALID_PARAMETER');
  const isAgain = bet.settledBy === bet.id && broken === 'returns a bet twice';
  if (bet.settledBy !== undefined && !isAgain && broken !== 'returns a paid bet')
    return outcome('BET_ALREADY_SETTLED', asked, world);
  const amount = broken === 'returns what the cancel says' ? transaction.amount : bet.amount;
  const isKnown = books.find(`cancel ${refId}`) !== undefined;
  const moveID = isKnown ? `cancel ${refId} ${books.entries().length}` : `cancel ${refId}`;
  books.move({ id: moveID, kind: 'rollback', player, currency, amount, round, ref: refId, note: uuid });
  bet.settledBy = bet.id;
  memory.set(`cancelled ${refId}`, true);
  return outcome('OK', asked, world, before);
}
