import { randomUUID } from 'node:crypto';
import type { WalletApiRequest, WalletApiResponse, World } from '../kit/aggregator.ts';
import type { Tokens } from '../kit/tokens.ts';
import { type ErrorCode, HEALTH_PATH, isSignature, SIGNATURE_HEADER, STATUS_OF } from './wire.ts';

export const BREAKAGES = [
  'is not healthy',
  'takes any signature',
  'takes a request without a signature',
  'checks the signature of other bytes',
  'reads the body before the signature',
  'moves the money of an unsigned request',
  'fails at a body that is no JSON',
  'refuses without a message',
  'refuses with status 200',
  'writes the balance in units',
  'leaves the currency out',
  'shows the balance before',
  'takes an unknown token',
  'refuses an old session',
  'takes any session',
  'rounds round ids',
  'refuses an empty address',
  'takes amounts of 0',
  'takes negative amounts',
  'takes half a micro',
  'takes text as an amount',
  'takes another currency',
  'takes a debit above the balance',
  'keeps the bet of a refused debit',
  'closes the round of a refused debit',
  'takes a repeated debit again',
  'takes a debit again after its rollback',
  'names a repeated debit anew',
  'refuses a repeated debit of a closed round',
  'takes one debit of a round alone',
  'takes a debit of a closed round',
  'leaves the round of a closing debit open',
  'invents a credit_id',
  'pays a repeated single shot again',
  'lets a win fund its stake',
  'leaves the credit_id of a single shot out',
  'refuses a win of 0',
  'pays a repeated credit again',
  'names a repeated credit anew',
  'pays the first credit alone',
  'pays a credit of a closed round',
  'refuses a repeated credit of a closed round',
  'pays a credit of an unknown round',
  'names a losing close',
  'leaves a lost round open',
  'refuses a repeated losing close',
  'rolls back twice',
  'names a repeated rollback anew',
  'keys rollbacks by their own ids',
  'rolls back a settled round',
  'claims to roll back a settled round',
  'rolls back a debit that closed its round',
  'refuses to roll back an unknown debit',
  'takes a debit after its rollback',
  'fences the whole round',
  'rolls back the whole round',
  'closes the round of each rollback',
  'leaves the round of a rollback open',
  'rolls back the first debit alone',
  'gives rollback ids in another order',
  'needs active of a rollback',
] as const;
type Breakage = (typeof BREAKAGES)[number];

type Session = NonNullable<ReturnType<Tokens['find']>>;
type Fields = Readonly<Record<string, unknown>>;
/** ids: the wallet's own ids, by the kind of the transaction and the server's id. */
type Round = { token: string; isClosed: boolean; closedBy?: 'debit'; debits: Set<string>; ids: Map<string, string> };
type Asked = { fields: Fields; session: Session; roundID: string; round: Round; world: World };
type Money = { id: string; amount: bigint; currency: string; ref: string };

const is = ({ broken }: World, breakage: Breakage) => broken === breakage;

class Refusal extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What it refuses changes nothing. */
export async function respond(request: WalletApiRequest, world: World): Promise<WalletApiResponse> {
  if (request.method === 'GET' && request.path === HEALTH_PATH)
    return { status: is(world, 'is not healthy') ? 503 : 200, body: '{}' };
  const handle = Object.hasOwn(HANDLERS, request.path) ? HANDLERS[request.path] : undefined;
  if (handle === undefined || request.method !== 'POST') return { status: 404, body: '' };
  try {
    if (is(world, 'reads the body before the signature')) parse(request.body, world);
    if (!isTrusted(request, world)) {
      if (is(world, 'moves the money of an unsigned request')) answer(handle, request, world);
      throw new Refusal('ERR_ATE', 'x-signature: is wrong');
    }
    return { status: 200, body: JSON.stringify(answer(handle, request, world)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message } = error;
    const status = is(world, 'refuses with status 200') ? 200 : STATUS_OF[code];
    return { status, body: JSON.stringify(is(world, 'refuses without a message') ? { code } : { code, message }) };
  }
}

function isTrusted({ headers, body }: WalletApiRequest, world: World): boolean {
  const signature = headers[SIGNATURE_HEADER];
  if (world.isInstant) return true;
  if (typeof signature !== 'string') return is(world, 'takes a request without a signature');
  if (is(world, 'takes any signature')) return true;
  const isOther = is(world, 'checks the signature of other bytes');
  const bytes = isOther ? Buffer.from(JSON.stringify(JSON.parse(String(body)))) : body;
  return isSignature(signature, bytes, world.keys.ed25519.supplier.publicKey);
}

function parse(body: Buffer, world: World): Fields {
  try {
    const value: unknown = JSON.parse(String(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    if (is(world, 'fails at a body that is no JSON')) throw new Refusal('ERR_GE', 'an error');
  }
  throw new Refusal('ERR_BAD', 'the body is no JSON object');
}

type Handler = { members: readonly string[]; run: (asked: Asked) => object };

/** Returns the body of a success. */
function answer({ members, run }: Handler, { body }: WalletApiRequest, world: World): object {
  const fields = parse(body, world);
  const unknown = Object.keys(fields).find((name) => name !== 'token' && !members.includes(name));
  if (unknown !== undefined) throw new Refusal('ERR_BAD', `${unknown}: is not known`);
  const session = sessionOf(text(fields, 'token'), world);
  const { player, currency } = session;
  const before = world.books.balance(player, currency);
  const roundID = members.length === 0 ? '' : roundIDOf(body, world);
  const known = world.memory.get(`round ${roundID}`) as Round | undefined;
  const round = known ?? { token: session.token, isClosed: false, debits: new Set(), ids: new Map() };
  if (round.token !== session.token && !is(world, 'takes any session'))
    throw new Refusal('ERR_IS', 'token: is of another session than the round');
  const done = run({ fields, session, roundID, round, world });
  if (round.ids.size > 0) world.memory.set(`round ${roundID}`, round);
  const amount = Number(is(world, 'shows the balance before') ? before : world.books.balance(player, currency));
  const shown = is(world, 'writes the balance in units') ? amount / 1_000_000 : amount;
  return { ...done, balance: { amount: shown, ...(!is(world, 'leaves the currency out') && { currency }) } };
}

function sessionOf(token: string, world: World): Session {
  const [anybody] = is(world, 'takes an unknown token') ? world.books.accounts() : [];
  const found = world.tokens.find(token) ?? (anybody && { token, gameID: '', isExpired: false, ...anybody });
  const isRefused = found?.isExpired && is(world, 'refuses an old session');
  if (found === undefined || isRefused) throw new Refusal('ERR_IS', 'token: is not known');
  return found;
}

/** JSON.parse has no numbers above 2^53, and a round may have one. */
function roundIDOf(body: Buffer, world: World): string {
  const [, digits] = /"round"\s*:\s*(\d{1,20})\s*[,}]/.exec(String(body)) ?? [];
  if (digits === undefined) throw new Refusal('ERR_BAD', 'round: must be a whole number');
  return is(world, 'rounds round ids') ? String(Number(digits)) : digits;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Refusal('ERR_BAD', `${name}: must be a text`);
  return value;
}

function isActive({ active }: Fields): boolean {
  if (typeof active !== 'boolean') throw new Refusal('ERR_BAD', 'active: must be a boolean');
  return active;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function uuid(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (!UUID.test(value)) throw new Refusal('ERR_BAD', `${name}: must be a UUID`);
  return value;
}

/** Reads a debit or a credit. A request without one has null. */
function money({ fields, session, world }: Asked, name: 'debit' | 'credit'): Money | undefined {
  const value = fields[name];
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object') throw new Refusal('ERR_BAD', `${name}: must be an object`);
  const members = value as Fields;
  const currency = text(members, 'currency');
  if (currency !== session.currency && !is(world, 'takes another currency'))
    throw new Refusal('ERR_BAD', `${name}.currency: is not that of the session`);
  const amount = amountOf(members.amount, { least: name === 'debit' ? 1 : 0, world });
  if (amount === 0n && is(world, 'refuses a win of 0')) throw new Refusal('ERR_BAD', 'credit.amount: must be above 0');
  const ref = name === 'credit' ? uuid(members, 'ref') : '';
  return { id: uuid(members, 'id'), amount, currency: session.currency, ref };
}

function amountOf(written: unknown, { least, world }: { least: number; world: World }): bigint {
  const isText = typeof written === 'string' && is(world, 'takes text as an amount');
  const value = isText ? Number(written) : written;
  if (typeof value === 'number' && value < 0 && is(world, 'takes negative amounts')) return 0n;
  if (typeof value === 'number' && value % 1 !== 0 && is(world, 'takes half a micro')) return BigInt(Math.floor(value));
  if (value === 0 && is(world, 'takes amounts of 0')) return 0n;
  if (!Number.isSafeInteger(value) || Number(value) < least)
    throw new Refusal('ERR_BAD', 'amount: must be whole micros');
  return BigInt(Number(value));
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  '/v1/balance': { members: [], run: () => ({}) },
  '/v1/debit': { members: ['round', 'mode', 'active', 'ip', 'debit', 'credit'], run: debit },
  '/v1/credit': { members: ['round', 'active', 'ip', 'credit'], run: credit },
  '/v1/rollback': { members: ['round', 'active', 'rollbacks'], run: rollback },
};

/** Moves money, and names the transaction. A breakage moves the money of a known one again. */
function move(
  { session: { player, currency }, roundID: round, world }: Asked,
  kind: 'bet' | 'win',
  { id, amount, ref }: Money,
) {
  const { books } = world;
  const isAgain = books.find(id) !== undefined;
  const name = isAgain ? `${id} again ${books.entries().length}` : id;
  return books.move({ id: name, kind, player, currency, amount, round, ref: kind === 'win' ? ref : undefined });
}

function idOf({ round, world }: Asked, kind: 'debit' | 'credit' | 'rollback', id: string): string {
  const known = round.ids.get(`${kind} ${id}`);
  const isNew = known === undefined || is(world, `names a repeated ${kind} anew`);
  const own = isNew ? randomUUID() : known;
  round.ids.set(`${kind} ${id}`, own);
  return own;
}

function debit(asked: Asked): object {
  const { fields, round, world } = asked;
  const { books, broken } = world;
  const isOpen = isActive(fields);
  text(fields, 'mode');
  if (text(fields, 'ip') === '' && is(world, 'refuses an empty address')) throw new Refusal('ERR_BAD', 'ip: is empty');
  const stake = money(asked, 'debit');
  const win = money(asked, 'credit');
  if (stake === undefined) throw new Refusal('ERR_BAD', 'debit: is missing');
  if (win !== undefined && (isOpen || win.ref !== stake.id)) throw new Refusal('ERR_BAD', 'credit: is no single shot');
  const named = () => ({
    debit_id: idOf(asked, 'debit', stake.id),
    ...(win !== undefined &&
      broken !== 'leaves the credit_id of a single shot out' && { credit_id: idOf(asked, 'credit', win.id) }),
    ...(broken === 'invents a credit_id' && { credit_id: randomUUID() }),
  });
  const isRolledBack = round.ids.has(`rollback ${stake.id}`);
  if (round.debits.has(stake.id)) {
    if (round.isClosed && broken === 'refuses a repeated debit of a closed round') throw closed();
    if (
      broken === 'takes a repeated debit again' ||
      (isRolledBack && broken === 'takes a debit again after its rollback')
    )
      move(asked, 'bet', stake);
    if (win !== undefined && broken === 'pays a repeated single shot again') move(asked, 'win', win);
    return named();
  }
  if (broken === 'takes one debit of a round alone' && round.debits.size > 0) return named();
  const isFenced = isRolledBack || (broken === 'fences the whole round' && hasFence(round));
  if (isFenced && broken !== 'takes a debit after its rollback')
    throw new Refusal('ERR_BAD', 'debit.id: was rolled back before');
  if (round.isClosed && !isFenced && broken !== 'takes a debit of a closed round') throw closed();
  if (win !== undefined && broken === 'lets a win fund its stake') move(asked, 'win', win);
  if (move(asked, 'bet', stake) === 'insufficient' && broken !== 'takes a debit above the balance') {
    if (broken === 'closes the round of a refused debit') round.isClosed = true;
    if (broken === 'keeps the bet of a refused debit') {
      round.debits.add(stake.id);
      world.memory.set(`round ${asked.roundID}`, round);
    }
    throw new Refusal('ERR_IPB', 'the balance does not cover the debit');
  }
  if (win !== undefined && books.find(win.id) === undefined) move(asked, 'win', win);
  round.debits.add(stake.id);
  if (!isOpen && broken !== 'leaves the round of a closing debit open') {
    round.isClosed = true;
    if (win === undefined) round.closedBy = 'debit';
  }
  return named();
}

function closed(): Refusal {
  return new Refusal('ERR_BC', 'round: is closed');
}

/** Some rollback came before its debit. */
function hasFence({ ids, debits }: Round): boolean {
  return [...ids.keys()].some((key) => key.startsWith('rollback ') && !debits.has(key.slice('rollback '.length)));
}

function credit(asked: Asked): object {
  const { fields, round, world } = asked;
  const { books, broken } = world;
  const isOpen = isActive(fields);
  text(fields, 'ip');
  if (round.debits.size === 0 && broken !== 'pays a credit of an unknown round')
    throw new Refusal('ERR_BNF', 'round: has no debit');
  const win = money(asked, 'credit');
  if (win === undefined) {
    if (round.isClosed && broken === 'refuses a repeated losing close') throw closed();
    if (!isOpen && broken !== 'leaves a lost round open') round.isClosed = true;
    return broken === 'names a losing close' ? { credit_id: randomUUID() } : {};
  }
  const isKnown = round.ids.has(`credit ${win.id}`);
  if (isKnown && round.isClosed && broken === 'refuses a repeated credit of a closed round') throw closed();
  if (isKnown && broken === 'pays a repeated credit again') move(asked, 'win', win);
  if (isKnown) return { credit_id: idOf(asked, 'credit', win.id) };
  if (round.isClosed && broken !== 'pays a credit of a closed round') throw closed();
  const isOfRound = round.debits.has(win.ref) && !round.ids.has(`rollback ${win.ref}`);
  if (!isOfRound && round.debits.size > 0) throw new Refusal('ERR_BAD', 'credit.ref: is no debit of the round');
  const isPaid = books.ofRound(asked.roundID).some(({ kind }) => kind === 'win');
  if (!isPaid || broken !== 'pays the first credit alone') move(asked, 'win', win);
  if (!isOpen) round.isClosed = true;
  return { credit_id: idOf(asked, 'credit', win.id) };
}

type Reversal = { id: string; ref: string };

/** All of them are judged before the first one is done. */
function rollback(asked: Asked): object {
  const { fields, round, world } = asked;
  const { broken } = world;
  const needsActive = broken === 'needs active of a rollback' || fields.active !== undefined;
  const isOpen = needsActive && isActive(fields);
  const list = fields.rollbacks;
  if (!Array.isArray(list) || list.length === 0) throw new Refusal('ERR_BAD', 'rollbacks: is missing');
  const reversals: Reversal[] = list.map((each) => ({ id: uuid({ ...each }, 'id'), ref: uuid({ ...each }, 'ref') }));
  for (const { ref } of reversals) refuseReversal(asked, ref);
  const isSettled = round.isClosed && broken === 'claims to roll back a settled round';
  const all =
    broken === 'rolls back the whole round' ? [...round.debits].map((ref) => ({ id: randomUUID(), ref })) : [];
  const others = all.filter(({ ref }) => reversals.every((each) => each.ref !== ref));
  const done = broken === 'rolls back the first debit alone' ? reversals.slice(0, 1) : [...reversals, ...others];
  if (!isSettled) for (const reversal of done) reverse(asked, reversal);
  const closes = !isOpen && broken !== 'leaves the round of a rollback open';
  if (closes || broken === 'closes the round of each rollback') round.isClosed = true;
  const ids = reversals.map(({ id, ref }) =>
    idOf(asked, 'rollback', broken === 'keys rollbacks by their own ids' ? id : ref),
  );
  return { rollback_ids: broken === 'gives rollback ids in another order' ? ids.reverse() : ids };
}

function refuseReversal({ round, roundID, world }: Asked, ref: string): void {
  const { broken } = world;
  if (round.ids.has(`rollback ${ref}`)) return;
  if (!round.debits.has(ref)) {
    if (broken === 'refuses to roll back an unknown debit') throw new Refusal('ERR_BNF', 'ref: there is no such debit');
    return;
  }
  const isLoose = broken === 'rolls back a settled round' || broken === 'claims to roll back a settled round';
  const isOfDebit = round.closedBy === 'debit' && broken === 'rolls back a debit that closed its round';
  const isPaid = world.books.ofRound(roundID).some((entry) => entry.kind === 'win' && entry.ref === ref);
  if ((round.isClosed || isPaid) && !isLoose && !isOfDebit) throw closed();
}

/** A debit is reversed once. One that never came is fenced, which moves nothing. */
function reverse(asked: Asked, { id, ref }: Reversal): void {
  const {
    session: { player, currency },
    roundID,
    round,
    world,
  } = asked;
  const isTwice = is(world, 'rolls back twice');
  if (round.ids.has(`rollback ${ref}`) && !isTwice) return;
  const amount = round.debits.has(ref) ? world.books.find(ref)?.amount : undefined;
  const name = world.books.find(id) === undefined ? id : `${id} again ${world.books.entries().length}`;
  if (amount !== undefined)
    world.books.move({ id: name, kind: 'rollback', player, currency, amount, round: roundID, ref });
  idOf(asked, 'rollback', ref);
}
