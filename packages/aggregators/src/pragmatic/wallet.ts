import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import { textOf } from '../kit/amounts.ts';
import type { Entry } from '../kit/books.ts';
import { decimalsOf, FORM, hashOf, type Params, PROVIDER } from './wire.ts';

export const BREAKAGES = [
  'takes any hash',
  'takes any provider',
  'knows every player',
  'authenticates an expired token',
  'refuses with another status',
  'hides a low balance',
  'takes fractions of a cent',
  'takes a bet twice',
  'takes other content with a known reference',
  'pays a result twice',
  'pays a result without its bet',
  'tells no balance after a result',
  'refuses to end a round twice',
  'takes a bet after the end of its round',
  'refunds twice',
  'refuses to refund an unknown bet',
  'takes a bet after its refund',
] as const;

export const ERROR = {
  balance: 1,
  player: 2,
  bet: 3,
  token: 4,
  hash: 5,
  parameters: 7,
  retry: 100,
  final: 120,
  endRound: 130,
} as const;
type ErrorName = keyof typeof ERROR;

/** An error, or what the response has besides its success. */
type Answer = ErrorName | Readonly<Record<string, unknown>>;
type Called = { params: Params; world: World; player: string; currency: string; breaks(name: Breakage): boolean };
type Breakage = (typeof BREAKAGES)[number];

type Method = { needed: readonly string[]; optional?: readonly string[]; answer(called: Called): Answer };

const ROUND = ['userId', 'gameId', 'roundId'];
const MONEY = [...ROUND, 'amount', 'reference', 'timestamp', 'roundDetails'];

const METHODS: Readonly<Record<string, Method>> = {
  '/balance.html': { needed: ['userId'], optional: ['token'], answer: balanceOf },
  '/bet.html': { needed: MONEY, optional: ['bonusCode', 'token'], answer: bet },
  '/result.html': { needed: MONEY, optional: ['bonusCode', 'token'], answer: result },
  '/endRound.html': { needed: ROUND, optional: ['token'], answer: endRound },
  '/refund.html': { needed: ['userId', 'reference'], optional: [...MONEY, 'token'], answer: refund },
};
const AUTHENTICATE = '/authenticate.html';
export const PATHS = [AUTHENTICATE, ...Object.keys(METHODS)];

const FORMATS: Readonly<Record<string, RegExp>> = {
  amount: /^\d{1,15}\.\d{2,3}$/,
  reference: /^[0-9a-f]{32}$/,
  roundId: /^\d{1,19}$/,
  timestamp: /^1\d{12}$/,
  bonusCode: /^.{1,64}$/,
};

/** Responds as an operator that is strict: status 200, and an error code. */
export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  const answer = answerTo(request, world);
  const status = typeof answer === 'string' && world.broken === 'refuses with another status' ? 400 : 200;
  const body =
    typeof answer === 'string'
      ? { error: ERROR[answer], description: answer }
      : { ...answer, error: 0, description: 'Success' };
  return { status, body: JSON.stringify(body) };
}

function answerTo({ method, path, headers, body }: WalletApiRequest, world: World): Answer {
  const breaks = (name: Breakage) => world.broken === name;
  const isForm = String(headers['content-type']).startsWith(FORM);
  if (method !== 'POST' || !isForm || !PATHS.includes(path)) return 'parameters';
  const pairs = [...new URLSearchParams(String(body))];
  const params: Params = Object.fromEntries(pairs);
  if (Object.keys(params).length !== pairs.length) return 'parameters';
  const isTrusted = world.isInstant || breaks('takes any hash');
  if (!isTrusted && params.hash !== hashOf(params, world.keys.secret)) return 'hash';
  if (params.providerId !== PROVIDER && !breaks('takes any provider')) return 'parameters';
  if (path === AUTHENTICATE) return authenticate({ params, world });
  const { needed, optional = [], answer } = METHODS[path] as Method;
  const given = Object.keys(params).filter((name) => name !== 'hash' && name !== 'providerId');
  if (needed.some((name) => !params[name])) return 'parameters';
  if (given.some((name) => ![...needed, ...optional].includes(name))) return 'parameters';
  const isFormed = (name: string) => FORMATS[name]?.test(params[name] ?? '') ?? true;
  if (!given.every((name) => isFormed(name) || (name === 'amount' && breaks('takes fractions of a cent'))))
    return 'parameters';
  const player = params.userId ?? '';
  const account = world.books.accounts().find((each) => each.player === player);
  if (account === undefined) return breaks('knows every player') ? { cash: '0.00', bonus: '0.00' } : 'player';
  return answer({ params, world, player, currency: account.currency, breaks });
}

function authenticate({ params, world }: Pick<Called, 'params' | 'world'>): Answer {
  const found = world.tokens.find(params.token ?? '');
  const isExpired = found?.isExpired && world.broken !== 'authenticates an expired token';
  if (found === undefined || isExpired) return 'token';
  const { player, currency } = found;
  return { userId: player, ...moneyOf(world, found), country: 'SE', jurisdiction: '99', currency };
}

/** A tenth of what the player has is bonus money, so that both parts count. */
function moneyOf({ books }: World, { player, currency }: { player: string; currency: string }) {
  const balance = books.balance(player, currency);
  const [bonus, decimals] = [balance / 10n, decimalsOf(currency)];
  return { currency, cash: textOf(balance - bonus, decimals), bonus: textOf(bonus, decimals) };
}

function balanceOf({ world, player, currency }: Called): Answer {
  return moneyOf(world, { player, currency });
}

/** The amount in the smallest unit; undefined when it has other decimals. */
function amountOf({ params: { amount = '' }, currency }: Called): bigint | undefined {
  const [whole = '', fraction = ''] = amount.split('.');
  const decimals = decimalsOf(currency);
  // Only a wallet that takes fractions of a cent reaches this line with more decimals.
  return fraction.length < decimals ? undefined : BigInt(whole + fraction.slice(0, decimals));
}

/** The same reference with the same content is done already. */
function known({ params, world, breaks }: Called): 'new' | 'done' | 'other' {
  const entry = world.books.find(params.reference ?? '');
  if (entry === undefined) return 'new';
  return entry.note === contentOf(params) || breaks('takes other content with a known reference') ? 'done' : 'other';
}

function contentOf({ hash: _hash, token: _token, ...content }: Params): string {
  return JSON.stringify(Object.entries(content).sort());
}

function betsOf({ params, world }: Called): readonly Entry[] {
  return world.books.ofRound(params.roundId ?? '').filter(({ kind }) => kind === 'bet');
}

const isEnded = ({ params, world }: Called) => world.memory.has(`ended ${params.roundId}`);
const isRefunded = ({ memory }: World, reference: string) => memory.has(`refunded ${reference}`);

type Moving = { kind: 'bet' | 'win'; ref?: string };

function move(called: Called, { kind, ref }: Moving, again: Breakage): Answer {
  const { params, world, player, currency, breaks } = called;
  const { reference = '', roundId = '' } = params;
  const amount = amountOf(called);
  if (amount === undefined) return 'parameters';
  const state = known(called);
  if (state === 'other') return 'parameters';
  const id = state === 'done' && breaks(again) ? `${reference} again` : reference;
  const content = { id, kind, player, currency, amount, round: roundId, ref, note: contentOf(params) };
  if (state === 'new' || breaks(again)) {
    if (world.books.move(content) === 'insufficient') return breaks('hides a low balance') ? 'retry' : 'balance';
  }
  return { transactionId: id, ...moneyOf(world, { player, currency }) };
}

function bet(called: Called): Answer {
  const { params, world, breaks } = called;
  const { reference = '', bonusCode, amount = '' } = params;
  const isNew = known(called) === 'new';
  if (isRefunded(world, reference) && !breaks('takes a bet after its refund')) return 'final';
  if (isNew && isEnded(called) && !breaks('takes a bet after the end of its round')) return 'bet';
  const isFree = bonusCode !== undefined;
  if (isFree !== (Number(amount) === 0)) return 'parameters';
  if (isFree && world.grants.get(bonusCode)?.player !== called.player) return 'bet';
  const moved = move(called, { kind: 'bet' }, 'takes a bet twice');
  return typeof moved === 'string' ? moved : { ...moved, usedPromo: '0.00' };
}

function result(called: Called): Answer {
  const { params, world, breaks } = called;
  const [placed] = betsOf(called);
  if (placed === undefined && !breaks('pays a result without its bet')) return 'retry';
  if (placed !== undefined && isRefunded(world, placed.id)) return 'final';
  if (known(called) === 'new' && isEnded(called)) return 'final';
  const ofBet = placed?.note === undefined ? undefined : new Map<string, string>(JSON.parse(placed.note));
  if (ofBet !== undefined && ofBet.get('bonusCode') !== params.bonusCode) return 'parameters';
  const ref = placed === undefined ? {} : { ref: placed.id };
  const moved = move(called, { kind: 'win', ...ref }, 'pays a result twice');
  if (typeof moved === 'string' || !breaks('tells no balance after a result')) return moved;
  return { transactionId: params.reference };
}

function endRound(called: Called): Answer {
  const { params, world, player, currency, breaks } = called;
  const [placed] = betsOf(called);
  if (placed === undefined) return 'endRound';
  if (isRefunded(world, placed.id)) return 'final';
  if (isEnded(called) && breaks('refuses to end a round twice')) return 'parameters';
  world.memory.set(`ended ${params.roundId}`, true);
  return moneyOf(world, { player, currency });
}

function refund(called: Called): Answer {
  const { params, world, player, currency, breaks } = called;
  const { reference = '' } = params;
  const placed = world.books.find(reference);
  if (placed === undefined && breaks('refuses to refund an unknown bet')) return 'parameters';
  if (placed !== undefined && (placed.kind !== 'bet' || placed.player !== player)) return 'parameters';
  if (placed !== undefined && world.memory.has(`ended ${placed.round}`)) return 'final';
  if (placed !== undefined && world.books.ofRound(placed.round).some(({ kind }) => kind === 'win')) return 'final';
  const isAgain = isRefunded(world, reference);
  world.memory.set(`refunded ${reference}`, true);
  if (placed === undefined) return { transactionId: '' };
  const id = isAgain && breaks('refunds twice') ? `refund again ${reference}` : `refund ${reference}`;
  const { amount, round } = placed;
  world.books.move({ id, kind: 'rollback', player, currency, amount, round, ref: reference });
  return { transactionId: id };
}
