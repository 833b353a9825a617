// A whole wallet for Roundhouse, in memory: an example to read and to start from. It forgets
// everything when it ends. A real one keeps the same in a database, and runs each wallet
// transaction in one database transaction that locks the player first. docs/wallet-protocol.md has
// the rules.
//
//   SECRET=… SESSION_ID=acme:… node docs/examples/minimalWallet.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

// SECRET: one, or two with a comma while one replaces the other. PORT: 0 takes a free one.
const { SECRET, SESSION_ID, PORT = '5001' } = process.env;
if (!SECRET || !SESSION_ID) throw new Error('SECRET and SESSION_ID have to be set.');
const PAGE_SIZE = 20;
const MAX_BODY_BYTES = 256 * 1024; // /close-rounds sends up to 128 KiB

const players = new Map([['player-7', { currency: 'USD', balance: 1_000_000_000 }]]); // micros
const sessions = new Map([
  [SESSION_ID, { playerID: 'player-7', endsAt: Number.POSITIVE_INFINITY }],
  [`${SESSION_ID}-ended`, { playerID: 'player-7', endsAt: 0 }], // wallet-check --expired-session
]);
const booked = new Map(); // wallet transactions by transactionID, oldest first
const bets = new Map(); // by the debit's transactionID: open, paid, returned or barred
const paidGrants = new Set(); // free rounds: grants whose winnings were paid at their end

// The content that has to be equal when a transactionID comes again. sessionID and reason are not
// part of it, and unknown fields are ignored.
const OF_EACH = ['roundID', 'playerID', 'gameID', 'currency'];
const CONTENT = {
  debit: [...OF_EACH, 'amount', 'mode', 'grantID', 'freeBet'],
  credit: [...OF_EACH, 'amount', 'debitTransactionID', 'roundClosed', 'grantID', 'grantClosed'],
  rollback: [...OF_EACH, 'debitTransactionID'],
};
const isText = (value) => typeof value === 'string' && value !== '';
const isID = (value) => isText(value) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
const isAmount = (value) => Number.isSafeInteger(value) && value >= 0; // no fraction, no text
const isFlag = (value) => typeof value === 'boolean';
const orNone = (isRight) => (value) => value === undefined || isRight(value);
const OF_FREE_ROUNDS = { grantID: orNone(isText), freeBet: orNone(isAmount), grantClosed: orNone(isFlag) };
const CHECKS = { amount: isAmount, debitTransactionID: isID, roundClosed: isFlag, ...OF_FREE_ROUNDS };

const refuse = (error) => ({ error });
const isOurs = ({ playerID, currency }) => players.has(playerID) && players.get(playerID).currency === currency;
const isLive = (sessionID) => sessions.get(sessionID)?.endsAt > Date.now();
const balanceOf = ({ playerID }) => ({ balance: players.get(playerID).balance });
const bookedOf = (body) => ({ ...balanceOf(body), reference: booked.get(body.transactionID).reference });

function authenticate({ sessionID }) {
  if (!isLive(sessionID)) return refuse('ERR_IS');
  const { playerID } = sessions.get(sessionID);
  return { playerID, ...players.get(playerID) };
}

function debit(body) {
  const isFree = [body.amount === 0, body.grantID !== undefined, body.freeBet !== undefined];
  if (new Set(isFree).size > 1 || !isText(body.sessionID)) return refuse('ERR_VAL');
  if (bets.has(body.transactionID)) return refuse('ERR_VAL'); // barred: its rollback came first
  if (!isLive(body.sessionID)) return refuse('ERR_IS');
  if (sessions.get(body.sessionID).playerID !== body.playerID) return refuse('ERR_VAL');
  if (body.amount > balanceOf(body).balance) return refuse('ERR_IPB');
  bets.set(body.transactionID, 'open');
  return book('debit', body, -body.amount);
}

// Needs no live session, nor does rollback: a payout is owed, also when the player has gone.
function credit(body) {
  const bet = bets.get(body.debitTransactionID) ?? 'barred';
  if (bet === 'barred') return refuse('ERR_BNF');
  const isOfItsGrant = booked.get(body.debitTransactionID).body.grantID === body.grantID;
  if (!isOfItsDebit(body) || !isOfItsGrant) return refuse('ERR_VAL');
  const isOwed = body.grantClosed ? isGrantOwed(body, bet) : bet === 'open';
  if (!isOwed) return refuse('ERR_VAL');
  if (!isAmount(balanceOf(body).balance + body.amount)) return refuse('ERR_GE');
  if (body.grantClosed) paidGrants.add(body.grantID);
  else if (body.roundClosed) bets.set(body.debitTransactionID, 'paid');
  return book('credit', body, body.amount);
}

/** The winnings of a grant are paid once. They name its last round, open or closed. */
const isGrantOwed = ({ grantID }, bet) => grantID !== undefined && bet !== 'returned' && !paidGrants.has(grantID);

/** Optional, for losing rounds: each closing is the credit of 0 with its id. */
function closeRounds({ rounds }) {
  if (!Array.isArray(rounds)) return refuse('ERR_VAL');
  const close = once('credit', credit);
  const results = rounds.map((closing) => {
    const { error } = close({ ...closing, amount: 0, roundClosed: true });
    return { transactionID: closing?.transactionID, error };
  });
  return { results };
}

function rollback(body) {
  const bet = bets.get(body.debitTransactionID) ?? 'barred';
  if (bet !== 'barred' && (bet === 'paid' || !isOfItsDebit(body))) return refuse('ERR_VAL');
  bets.set(body.debitTransactionID, bet === 'barred' ? 'barred' : 'returned');
  if (bet === 'barred') return refuse('ERR_BNF');
  return book('rollback', body, bet === 'open' ? -booked.get(body.debitTransactionID).moved : 0);
}

const isOfItsDebit = (body) => OF_EACH.every((name) => booked.get(body.debitTransactionID).body[name] === body[name]);

function book(kind, body, moved) {
  players.get(body.playerID).balance += moved;
  const reference = `${kind}-${booked.size + 1}`; // optional: the own id, for support
  booked.set(body.transactionID, { kind, body, moved, reference, at: new Date().toISOString() });
  return bookedOf(body);
}

/**
 * What debit, credit and rollback have in common: a complete body, and an id that moves money once.
 */
function once(kind, move) {
  return (body) => {
    const isWhole = CONTENT[kind].every((name) => (CHECKS[name] ?? isText)(body[name]));
    if (!isWhole || !isID(body.transactionID)) return refuse('ERR_VAL');
    const known = booked.get(body.transactionID);
    if (known === undefined) return isOurs(body) ? move(body) : refuse('ERR_VAL');
    const isSame = known.kind === kind && CONTENT[kind].every((name) => known.body[name] === body[name]);
    return isSame ? bookedOf(body) : refuse('ERR_DUP'); // the same success, with today's balance
  };
}

/** Lists the wallet transactions of a time span for `roundhouse reconcile`, page by page. */
function transactions({ from, to, cursor = '0', limit = PAGE_SIZE }) {
  if (Number.isNaN(Date.parse(from) + Date.parse(to))) return refuse('ERR_VAL');
  const isInside = ({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
  const all = [...booked.values()].filter(isInside);
  const end = Number(cursor) + Math.min(limit, PAGE_SIZE);
  const page = all.slice(Number(cursor), end).map(({ kind, body, moved, at }) => {
    const { transactionID, debitTransactionID, roundID, playerID, currency } = body;
    return { transactionID, kind, debitTransactionID, roundID, playerID, currency, amount: Math.abs(moved), at };
  });
  return { transactions: page, cursor: end < all.length ? String(end) : null };
}

const CALLS = new Map([
  ['/authenticate', authenticate],
  ['/balance', (body) => (isOurs(body) ? balanceOf(body) : refuse('ERR_VAL'))],
  ['/debit', once('debit', debit)],
  ['/credit', once('credit', credit)],
  ['/close-rounds', closeRounds],
  ['/rollback', once('rollback', rollback)],
  ['/transactions', transactions],
]);

/** Checks the bytes as they arrived, before they are parsed; see docs/signature.md. */
function isSigned(raw, { method, url, headers }) {
  const { 'x-roundhouse-timestamp': timestamp = '', 'x-roundhouse-nonce': nonce = '' } = headers;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp)) > 300) return false;
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce)) return false;
  const head = ['v2', 'to-operator', timestamp, nonce, method, url, ''].join('\n');
  return SECRET.split(',').some((secret) => {
    const mac = createHmac('sha256', secret).update(head).update(raw).digest('hex');
    const [wanted, given] = [`v2=${mac}`, headers['x-roundhouse-signature'] ?? ''].map((text) => Buffer.from(text));
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

async function respond(request) {
  const { method, url, headers } = request;
  if (url === '/health') return { status: 200, body: {} };
  if (!(Number(headers['content-length']) <= MAX_BODY_BYTES)) return { status: 413, body: refuse('ERR_VAL') };
  const raw = Buffer.concat(await request.toArray());
  if (!isSigned(raw, request)) return { status: 401, body: refuse('ERR_VAL') };
  const call = method === 'POST' ? CALLS.get(url) : undefined;
  if (call === undefined) return { status: 404, body: refuse('ERR_VAL') };
  const parsed = objectOf(raw);
  const body = parsed === undefined ? refuse('ERR_VAL') : call(parsed);
  return { status: body.error === undefined ? 200 : 400, body };
}

function objectOf(raw) {
  try {
    const value = JSON.parse(raw);
    return Object.getPrototypeOf(value) === Object.prototype ? value : undefined;
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  // After an unexpected error it is uncertain whether money moved: ERR_UE says so.
  const { status, body } = await respond(request).catch(() => ({ status: 500, body: refuse('ERR_UE') }));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Wallet: http://127.0.0.1:${server.address().port}`));
