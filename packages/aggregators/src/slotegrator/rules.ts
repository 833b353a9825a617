import { randomBytes, randomInt } from 'node:crypto';
import { amountOf, textOf } from '../kit/amounts.ts';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { expiredTokenOf, membersOf, must, rule } from '../kit/rule.ts';
import { decimalsOf, formOf, headersOf, type Params, type Signed, type SlotegratorSettings } from './wire.ts';

type Callback = Endpoint<SlotegratorSettings>;
type Rules = readonly Rule<SlotegratorSettings>[];
type Response = {
  status: number;
  /** The wallet's amounts have these decimals. */
  decimals: number;
  balance?: unknown;
  transaction_id?: unknown;
  error_code?: unknown;
  rollback_transactions?: unknown;
};
type Fields = Readonly<Record<string, string | undefined>>;
type Sending = { signed?: Partial<Signed>; headers?: Record<string, string>; nested?: Params };

/** Sends a callback. A field that is undefined is left out. */
async function call(
  { post, settings, facts }: Callback,
  fields: Fields,
  { signed = {}, headers = {}, nested = [] }: Sending = {},
): Promise<Response> {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const params: Params = [...given, ...nested];
  const all = { ...headersOf(params, settings, signed), ...headers };
  const { response } = await post(settings.callbackPath, formOf(params), all);
  if (!response.came) throw new CheckFailure(response.why);
  return { ...membersOf(response.body), status: response.status, decimals: decimalsOf(facts.currency) };
}

const money = ({ facts: { currency } }: Callback, amount: bigint) => textOf(amount, decimalsOf(currency));
const newID = () => randomBytes(16).toString('hex');
const newRound = () => String(randomInt(10 ** 9));
const who = ({ facts: { player, currency, token } }: Callback) => ({ player_id: player, currency, session_id: token });

type Move = { amount?: bigint; id?: string; round?: string | undefined; more?: Fields };
function move(endpoint: Callback, action: 'bet' | 'win', { amount, id, round, more }: Move, sending?: Sending) {
  const { bet, gameID } = endpoint.facts;
  const fields = { action, amount: money(endpoint, amount ?? bet), game_uuid: gameID, type: action };
  const ids = { transaction_id: id ?? newID(), round_id: round };
  return call(endpoint, { ...fields, ...who(endpoint), ...ids, ...more }, sending);
}
const bet = (endpoint: Callback, fields: Move = {}, sending?: Sending) => move(endpoint, 'bet', fields, sending);
const win = (endpoint: Callback, fields: Move = {}, sending?: Sending) => move(endpoint, 'win', fields, sending);

type Refund = { of: string; id?: string; amount?: bigint; round?: string };
function refund(endpoint: Callback, { of, id = newID(), amount = endpoint.facts.bet, round }: Refund) {
  const ids = { transaction_id: id, bet_transaction_id: of, round_id: round };
  const fields = { action: 'refund', amount: money(endpoint, amount), game_uuid: endpoint.facts.gameID };
  return call(endpoint, { ...fields, ...who(endpoint), ...ids });
}

type Listed = { action: 'bet' | 'win'; id: string; amount: bigint };
function rollback(endpoint: Callback, listed: readonly Listed[], { id = newID(), round = newRound() } = {}) {
  const nested = listed.flatMap(({ action, id: transaction_id, amount }, index) =>
    Object.entries({ action, amount: money(endpoint, amount), transaction_id, type: action }).map(
      ([name, value]): [string, string] => [`rollback_transactions[${index}][${name}]`, value],
    ),
  );
  const fields = { action: 'rollback', transaction_id: id, game_uuid: endpoint.facts.gameID, type: 'rollback' };
  return call(endpoint, { ...fields, ...who(endpoint), round_id: round }, { nested });
}

function balanceIn(response: Response): bigint {
  must(response.status === 200, `status ${response.status} instead of 200`);
  must(response.error_code === undefined, `error_code ${response.error_code}`);
  const { balance, decimals } = response;
  const amount = typeof balance === 'number' ? amountOf(String(balance), decimals) : undefined;
  if (amount === undefined) throw new CheckFailure(`the balance ${balance} is no number with ${decimals} decimals`);
  return amount;
}

const balance = async (endpoint: Callback) => balanceIn(await call(endpoint, { action: 'balance', ...who(endpoint) }));

/** The response is a success of a transaction, and the balance has changed by `gain`. */
function mustGain(response: Response, before: bigint, gain: bigint): void {
  const after = balanceIn(response);
  must(after - before === gain, `the balance has changed by ${after - before} instead of ${gain}`);
  const { transaction_id: id } = response;
  must(['string', 'number'].includes(typeof id) && id !== '', 'there is no transaction_id');
}

async function mustRefuse(endpoint: Callback, before: bigint, response: Response, errorCode = 'INTERNAL_ERROR') {
  must(response.status === 200, `status ${response.status} instead of 200`);
  must(response.error_code === errorCode, `error_code ${response.error_code} instead of ${errorCode}`);
  const after = await balance(endpoint);
  must(after === before, `the balance has changed by ${after - before}`);
}

const SIGNATURES: Rules = [
  rule('signature.old', 'A time stamp more than 30 seconds from now is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    for (const away of [-60, 60]) {
      const timestamp = String(Math.floor(Date.now() / 1000) + away);
      await mustRefuse(endpoint, before, await bet(endpoint, {}, { signed: { timestamp } }));
    }
  }),
  rule('signature.merchant', 'Another merchant is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    await mustRefuse(endpoint, before, await bet(endpoint, {}, { signed: { merchant: 'another' } }));
  }),
  rule('signature.encoding', "The signature is over PHP's encoding of the values.", async (endpoint) => {
    const before = await balance(endpoint);
    mustGain(await bet(endpoint, { round: "a b+c~d*e'f(g)!ä" }), before, -endpoint.facts.bet);
  }),
];

/** The steps of the self-validation in the order in which the aggregator makes them. */
const SELF_VALIDATION: Rules = [
  rule('self-validate.balance', 'The balance of the player of a session is told.', async (endpoint) => {
    await balance(endpoint);
  }),
  rule('self-validate.unknown-player', 'The balance of an unknown player is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    const { currency } = endpoint.facts;
    await mustRefuse(endpoint, before, await call(endpoint, { action: 'balance', player_id: newID(), currency }));
  }),
  rule('self-validate.zero-bet-win', 'A bet of 0 is taken, and its win is paid once.', async (endpoint) => {
    const [before, round, id] = [await balance(endpoint), newRound(), newID()];
    const gain = endpoint.facts.bet * 3n;
    mustGain(await bet(endpoint, { amount: 0n, round }), before, 0n);
    const first = await win(endpoint, { amount: gain, round, id });
    mustGain(first, before, gain);
    mustRepeat(first, await win(endpoint, { amount: gain, round, id }), before + gain);
    mustGain(await refund(endpoint, { of: id, amount: gain }), before, gain);
  }),
  rule('self-validate.zero-amounts', 'A win, a bet and a refund of 0 are taken, in this order.', async (endpoint) => {
    const [before, round, id] = [await balance(endpoint), newRound(), newID()];
    mustGain(await win(endpoint, { amount: 0n, round }), before, 0n);
    mustGain(await bet(endpoint, { amount: 0n, round, id }), before, 0n);
    mustGain(await refund(endpoint, { of: id, amount: 0n, round }), before, 0n);
  }),
  rule('self-validate.bet-refund', 'A repeated bet is taken once, and refunded once.', async (endpoint) => {
    const [before, round, id] = [await balance(endpoint), newRound(), newID()];
    const first = await bet(endpoint, { round, id });
    mustGain(first, before, -endpoint.facts.bet);
    mustRepeat(first, await bet(endpoint, { round, id }), before - endpoint.facts.bet);
    const refunded = await refund(endpoint, { of: id, round: newID() });
    mustGain(refunded, before, 0n);
    mustRepeat(refunded, await refund(endpoint, { of: id, round: newID() }), before);
  }),
  rule('self-validate.refund-without-round', 'A refund without a round is taken.', async (endpoint) => {
    const [before, id] = [await balance(endpoint), newID()];
    await bet(endpoint, { id, round: newRound() });
    mustGain(await refund(endpoint, { of: id }), before, 0n);
  }),
  rule('self-validate.many-wins', 'A round has several wins, and one of 0.', async (endpoint) => {
    const [before, round, id, unit] = [await balance(endpoint), newRound(), newID(), endpoint.facts.bet];
    mustGain(await bet(endpoint, { round }), before, -unit);
    mustGain(await win(endpoint, { round, amount: unit + 1n }), before, 1n);
    mustGain(await win(endpoint, { round, amount: 0n }), before, 1n);
    const last = await win(endpoint, { round, id });
    mustGain(last, before, unit + 1n);
    mustRepeat(last, await win(endpoint, { round, id }), before + unit + 1n);
    mustGain(await win(endpoint, { round }), before, unit * 2n + 1n);
  }),
  rule('self-validate.other-game', 'A session may have bets and wins of another game.', async (endpoint) => {
    const [before, round, more] = [await balance(endpoint), newRound(), { game_uuid: newID() }];
    mustGain(await bet(endpoint, { amount: 0n, round, more }), before, 0n);
    mustGain(await win(endpoint, { amount: 0n, round, more }), before, 0n);
  }),
  rule(
    'self-validate.refund-before-bet',
    'A refund before its bet is kept: the bet takes nothing.',
    async (endpoint) => {
      const [before, round, id] = [await balance(endpoint), newRound(), newID()];
      mustGain(await refund(endpoint, { of: id, round }), before, 0n);
      mustGain(await bet(endpoint, { id, round }), before, 0n);
    },
  ),
  rule(
    'self-validate.insufficient',
    'A bet above the balance is refused, and its refund is taken.',
    async (endpoint) => {
      const [before, round, id] = [await balance(endpoint), newRound(), newID()];
      const amount = before + 100n;
      await mustRefuse(endpoint, before, await bet(endpoint, { id, round, amount }), 'INSUFFICIENT_FUNDS');
      mustGain(await refund(endpoint, { of: id, amount, round }), before, 0n);
    },
  ),
  rule('self-validate.signature', 'A wrong signature is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    const headers = { 'x-sign': '0'.repeat(40) };
    await mustRefuse(endpoint, before, await win(endpoint, { round: newRound() }, { headers }));
  }),
  rule('self-validate.full-balance', 'A bet may take the whole balance.', async (endpoint) => {
    const [before, round, id] = [await balance(endpoint), newRound(), newID()];
    mustGain(await bet(endpoint, { amount: before, round, id }), before, -before);
    mustGain(await win(endpoint, { amount: 3500n, round }), 0n, 3500n);
    mustGain(await refund(endpoint, { of: id, amount: before, round }), 3500n, before);
  }),
  rule('self-validate.rollback', 'A rollback cancels the listed bet and win, once.', async (endpoint) => {
    const [before, round, unit] = [await balance(endpoint), newRound(), endpoint.facts.bet];
    const [first, second] = [newID(), newID()];
    await bet(endpoint, { round, id: first });
    await win(endpoint, { round, id: second, amount: unit * 3n });
    const listed: Listed[] = [
      { action: 'bet', id: first, amount: unit },
      { action: 'win', id: second, amount: unit * 3n },
    ];
    const response = await rollback(endpoint, listed, { round });
    mustGain(response, before, 0n);
    const named = response.rollback_transactions;
    must(Array.isArray(named) && [first, second].every((each) => named.includes(each)), 'the list is not in it');
    mustGain(await rollback(endpoint, listed, { round }), before, 0n);
  }),
  rule('self-validate.finished', 'Bets and wins with `finished` are taken.', async (endpoint) => {
    const [before, unit] = [await balance(endpoint), endpoint.facts.bet];
    const [open, over] = [{ finished: '0' }, { finished: '1' }];
    let gain = 0n;
    for (const [bets, wins] of ROUNDS) {
      const round = newRound();
      for (let each = 0; each < bets; each++) {
        gain -= unit;
        mustGain(await bet(endpoint, { round, more: open }), before, gain);
      }
      for (let each = 1; each <= wins; each++) {
        gain += unit;
        mustGain(await win(endpoint, { round, more: each === wins ? over : open }), before, gain);
      }
    }
  }),
];

/** The numbers of bets and wins of each round in the last step. */
const ROUNDS = [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
] as const;

/** A repeated transaction has the id and the balance of the first. */
function mustRepeat(first: Response, again: Response, now: bigint): void {
  mustGain(again, now, 0n);
  const [one, other] = [first.transaction_id, again.transaction_id];
  must(one === other, `transaction_id ${other} instead of ${one} for a repetition`);
}

const MORE: Rules = [
  rule('rollback.listed-only', 'A rollback cancels no transaction that is not listed.', async (endpoint) => {
    const [before, round, id, unit] = [await balance(endpoint), newRound(), newID(), endpoint.facts.bet];
    await bet(endpoint, { round });
    await win(endpoint, { round, id, amount: unit * 2n });
    mustGain(await rollback(endpoint, [{ action: 'win', id, amount: unit * 2n }], { round }), before, -unit);
  }),
  rule('win.expired-session', 'A win is paid when the session has expired.', async (endpoint) => {
    const [expiredToken, unit] = [expiredTokenOf(endpoint, 'session'), endpoint.facts.bet];
    const [before, round] = [await balance(endpoint), newRound()];
    await bet(endpoint, { round });
    const more = { session_id: expiredToken };
    mustGain(await win(endpoint, { round, amount: unit * 2n, more }), before, unit);
  }),
];

export const rules: Rules = [...SIGNATURES, ...SELF_VALIDATION, ...MORE];
