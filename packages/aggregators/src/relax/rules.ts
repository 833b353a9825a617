import { randomInt, randomUUID } from 'node:crypto';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { expiredTokenOf, membersOf, rule } from '../kit/rule.ts';
import { authorizationOf, type Method, type RelaxBody, type RelaxSettings } from './wire.ts';

type RelaxEndpoint = Endpoint<RelaxSettings>;
type Answer = { status: number; errorcode?: string; balance?: number; currency?: string; playerid?: number };
type Verified = Answer & { sessionid?: number };
type Sending = { authorization?: string | undefined; partner?: number };

/** Sends a request, and reads what the wallet responds. */
async function call(
  { post, settings }: RelaxEndpoint,
  method: Method,
  body: object,
  { authorization = authorizationOf(settings), partner = settings.partners[0] }: Sending = {},
): Promise<Verified> {
  const { response } = await post(`/${partner}/${method}`, JSON.stringify(body), { authorization });
  if (!response.came) throw new CheckFailure(response.why);
  return { ...membersOf(response.body), status: response.status };
}

const gamerefOf = ({ facts, settings }: RelaxEndpoint) => settings.gameref.replace('{game}', () => facts.gameID);
const requested = () => ({ requestid: randomUUID(), timestamp: Date.now() });
const verifying = (endpoint: RelaxEndpoint, token = endpoint.facts.token) => ({
  ...requested(),
  channel: 'web',
  clientid: 'html5',
  token,
  gameref: gamerefOf(endpoint),
  partnerid: endpoint.settings.partners[0],
  ip: '192.0.2.1',
});

/** What all requests of a session have. */
async function sessionOf(endpoint: RelaxEndpoint, token?: string): Promise<RelaxBody> {
  const verified = await call(endpoint, 'verifytoken', verifying(endpoint, token));
  const { playerid, sessionid, currency } = verified;
  if (verified.status !== 200 || playerid === undefined || sessionid === undefined || currency === undefined)
    throw new CheckFailure(`verifytoken gives ${shown(verified)} instead of a player`);
  return { playerid, sessionid, currency, gameref: gamerefOf(endpoint) };
}

type Play = { session: RelaxBody; withdraw: RelaxBody };

async function newBet(endpoint: RelaxEndpoint, token?: string): Promise<Play> {
  const session = await sessionOf(endpoint, token);
  const roundid = String(randomInt(2 ** 40));
  const amount = Number(endpoint.facts.bet);
  const place = { channel: 'web', clientid: 'html5' };
  const id = randomUUID();
  const money = { roundid, txid: id, amount, txtype: 'withdraw', ended: false };
  return { session, withdraw: { ...session, ...place, ...requested(), requestid: id, ...money } };
}

function depositOf({ withdraw }: Play, amount: number): RelaxBody {
  const txid = randomUUID();
  return { ...withdraw, ...requested(), requestid: txid, txid, amount, txtype: 'deposit', ended: true };
}

function rollbackOf({ withdraw: { channel: _none, ...withdraw } }: Play): RelaxBody {
  const txid = randomUUID();
  const original = { originaltxid: withdraw.txid ?? '', originaltimestamp: withdraw.timestamp ?? 0 };
  return { ...withdraw, ...requested(), requestid: txid, txid, ...original, ended: true };
}

const shown = ({ status, errorcode }: Answer) => `status ${status}${errorcode ? ` with ${errorcode}` : ''}`;

function expectDone(what: string, answer: Answer): number {
  if (answer.status !== 200 || answer.errorcode !== undefined) throw new CheckFailure(`${what} gives ${shown(answer)}`);
  return answer.balance ?? Number.NaN;
}

/** Any of `errorcodes` is right, or any at all. The server takes other statuses for uncertain. */
function expectRefused(what: string, answer: Answer, ...errorcodes: string[]): void {
  const { status, errorcode } = answer;
  const isKnown = errorcode !== undefined && (errorcodes.length === 0 || errorcodes.includes(errorcode));
  if (status >= 400 && status < 500 && isKnown) return;
  throw new CheckFailure(`${what} gives ${shown(answer)} instead of ${errorcodes.join(' or ') || 'an errorcode'}`);
}

async function balanceOf(endpoint: RelaxEndpoint, session: RelaxBody): Promise<number> {
  const read = await call(endpoint, 'getbalance', { ...session, ...requested() });
  const balance = expectDone('getbalance', read);
  if (!Number.isSafeInteger(balance)) throw new CheckFailure('getbalance gives no whole cents');
  return balance;
}

/** Runs a step, and requires that it changes the balance by `cents`. */
async function moving(endpoint: RelaxEndpoint, session: RelaxBody, cents: number, step: () => Promise<void>) {
  const before = await balanceOf(endpoint, session);
  await step();
  const moved = (await balanceOf(endpoint, session)) - before;
  if (moved !== cents) throw new CheckFailure(`the balance changed by ${moved} cents instead of ${cents}`);
}

const withdraw = (endpoint: RelaxEndpoint, { withdraw }: Play, more: RelaxBody = {}) =>
  call(endpoint, 'withdraw', { ...withdraw, ...more });
const deposit = (endpoint: RelaxEndpoint, body: RelaxBody) => call(endpoint, 'deposit', body);
const rollback = (endpoint: RelaxEndpoint, body: RelaxBody) => call(endpoint, 'rollback', body);

type Run = (endpoint: RelaxEndpoint, play: Play, bet: number) => Promise<void>;

/** The rule has the content of a new bet. `moves`: cents, in bets, that the whole of it moves. */
function betRule(id: string, sentence: string, moves: number, run: Run): Rule<RelaxSettings> {
  return rule(id, sentence, async (endpoint) => {
    const play = await newBet(endpoint);
    const bet = Number(endpoint.facts.bet);
    await moving(endpoint, play.session, moves * bet, () => run(endpoint, play, bet));
  });
}

async function betAndExpect(endpoint: RelaxEndpoint, play: Play): Promise<void> {
  expectDone('a withdraw', await withdraw(endpoint, play));
}

/** An id that no test system has as a partner. */
const OTHER_PARTNER = 11;

export const rules: readonly Rule<RelaxSettings>[] = [
  betRule(
    'access.password',
    'A request with another password is refused, and moves nothing.',
    0,
    async (endpoint, play) => {
      const authorization = authorizationOf({ ...endpoint.settings, password: 'another' });
      const answer = await call(endpoint, 'withdraw', play.withdraw, { authorization });
      if (answer.status !== 401 && answer.status !== 403) throw new CheckFailure(`it gives ${shown(answer)}`);
    },
  ),
  betRule('access.partner', 'An unknown partner is refused.', 0, async (endpoint, { withdraw }) => {
    const answer = await call(endpoint, 'withdraw', withdraw, { partner: OTHER_PARTNER });
    if (answer.status < 400 || answer.status > 499) throw new CheckFailure(`it gives ${shown(answer)}`);
  }),
  betRule(
    'verifytoken.player',
    'The ticket of a launch gives the player of it, each time.',
    0,
    async (endpoint, play) => {
      const { playerid } = await sessionOf(endpoint);
      if (playerid !== play.session.playerid) throw new CheckFailure('the second time it is another player');
    },
  ),
  rule('verifytoken.expired', 'A ticket that has timed out is refused.', async (endpoint) => {
    const asked = verifying(endpoint, expiredTokenOf(endpoint));
    expectRefused('verifytoken', await call(endpoint, 'verifytoken', asked), 'INVALID_TOKEN', 'SESSION_EXPIRED');
  }),
  rule('verifytoken.unknown', 'An unknown ticket is refused.', async (endpoint) => {
    const asked = verifying(endpoint, randomUUID());
    expectRefused('verifytoken', await call(endpoint, 'verifytoken', asked), 'INVALID_TOKEN', 'SESSION_EXPIRED');
  }),
  betRule('fields.amount', 'An amount that is no whole number of cents is refused.', 0, async (endpoint, play, bet) => {
    expectRefused('half a cent', await withdraw(endpoint, play, { amount: bet + 0.5 }));
  }),
  betRule('fields.player', 'A player that is not that of the session is refused.', 0, async (endpoint, play) => {
    expectRefused('it', await withdraw(endpoint, play, { playerid: Number(play.session.playerid) + 1 }));
  }),
  betRule('fields.currency', 'A currency that is not that of the session is refused.', 0, async (endpoint, play) => {
    expectRefused('it', await withdraw(endpoint, play, { currency: play.session.currency === 'SEK' ? 'NOK' : 'SEK' }));
  }),
  betRule('fields.game', 'A game that is not that of the session is refused.', 0, async (endpoint, play) => {
    const answer = await withdraw(endpoint, play, { gameref: `${play.session.gameref}-other` });
    expectRefused('it', answer, 'GAME_SESSION_MISMATCH', 'INVALID_PARAMETERS');
  }),
  betRule(
    'withdraw.moves',
    'A withdraw takes the bet and gives the balance after it.',
    -1,
    async (endpoint, play, bet) => {
      const before = await balanceOf(endpoint, play.session);
      const after = expectDone('a withdraw', await withdraw(endpoint, play));
      if (after !== before - bet) throw new CheckFailure(`it gives the balance ${after} instead of ${before - bet}`);
    },
  ),
  betRule('withdraw.insufficient', 'A bet above the balance is INSUFFICIENT_FUNDS.', 0, async (endpoint, play) => {
    const amount = (await balanceOf(endpoint, play.session)) + 1;
    expectRefused('it', await withdraw(endpoint, play, { amount }), 'INSUFFICIENT_FUNDS');
  }),
  betRule('withdraw.repeated', 'The same withdraw again moves nothing more.', -1, async (endpoint, play) => {
    await betAndExpect(endpoint, play);
    await betAndExpect(endpoint, play);
  }),
  betRule('withdraw.other', 'A known txid with another amount moves nothing more.', -1, async (endpoint, play, bet) => {
    await betAndExpect(endpoint, play);
    expectRefused('it', await withdraw(endpoint, play, { amount: bet + 1 }));
  }),
  betRule('deposit.moves', 'A deposit pays the win of its round.', 1, async (endpoint, play, bet) => {
    await betAndExpect(endpoint, play);
    expectDone('a deposit', await deposit(endpoint, depositOf(play, 2 * bet)));
  }),
  betRule('deposit.nothing', 'A deposit of 0 ends a lost round.', -1, async (endpoint, play) => {
    await betAndExpect(endpoint, play);
    expectDone('a deposit of 0', await deposit(endpoint, depositOf(play, 0)));
  }),
  betRule(
    'deposit.repeated',
    'The same deposit again is a success, and pays nothing more.',
    0,
    async (endpoint, play, bet) => {
      await betAndExpect(endpoint, play);
      const paid = depositOf(play, bet);
      expectDone('a deposit', await deposit(endpoint, paid));
      expectDone('the same deposit', await deposit(endpoint, paid));
    },
  ),
  betRule(
    'deposit.changed',
    'A deposit that is repeated with other content is refused.',
    0,
    async (endpoint, play, bet) => {
      await betAndExpect(endpoint, play);
      const paid = depositOf(play, bet);
      expectDone('a deposit', await deposit(endpoint, paid));
      expectRefused('it', await deposit(endpoint, { ...paid, timestamp: Number(paid.timestamp) + 1 }));
    },
  ),
  betRule('deposit.without_bet', 'A deposit of a round without a bet is refused.', 0, async (endpoint, play, bet) => {
    expectRefused('it', await deposit(endpoint, depositOf(play, bet)));
  }),
  betRule('deposit.after_end', 'Another deposit of an ended round is refused.', 0, async (endpoint, play, bet) => {
    await betAndExpect(endpoint, play);
    expectDone('a deposit', await deposit(endpoint, depositOf(play, bet)));
    expectRefused('another', await deposit(endpoint, depositOf(play, bet)));
  }),
  betRule('rollback.moves', 'A rollback gives the bet back.', 0, async (endpoint, play) => {
    await betAndExpect(endpoint, play);
    expectDone('a rollback', await rollback(endpoint, rollbackOf(play)));
  }),
  betRule('rollback.repeated', 'A bet is given back once.', 0, async (endpoint, play) => {
    await betAndExpect(endpoint, play);
    const given = rollbackOf(play);
    expectDone('a rollback', await rollback(endpoint, given));
    expectDone('the same rollback', await rollback(endpoint, given));
    expectRefused('another rollback', await rollback(endpoint, rollbackOf(play)));
  }),
  betRule(
    'rollback.unknown',
    'A rollback of an unknown withdraw is TRANSACTION_NOT_FOUND.',
    0,
    async (endpoint, play) => {
      expectRefused('it', await rollback(endpoint, rollbackOf(play)), 'TRANSACTION_NOT_FOUND');
    },
  ),
  betRule('rollback.deposit', 'A rollback of a deposit is refused.', 0, async (endpoint, play, bet) => {
    await betAndExpect(endpoint, play);
    const paid = depositOf(play, bet);
    expectDone('a deposit', await deposit(endpoint, paid));
    expectRefused('it', await rollback(endpoint, { ...rollbackOf(play), originaltxid: String(paid.txid) }));
  }),
];
