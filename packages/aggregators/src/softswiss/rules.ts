import { randomInt, randomUUID } from 'node:crypto';
import { textOf } from '../kit/amounts.ts';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { membersOf, must, rule } from '../kit/rule.ts';
import { decimalsOf, RPC_PATH, type Rpc, SIGNATURE_HEADER, type SoftswissSettings, signatureOf } from './wire.ts';

type SoftswissEndpoint = Endpoint<SoftswissSettings>;
type Rules = readonly Rule<SoftswissSettings>[];
type Response = {
  status: number;
  code?: string;
  apiCode?: string;
  balance?: unknown;
  round_id?: string;
  transactions?: { id_provider?: string }[];
};
/** What the body of a response has. */
type Members = Omit<Response, 'status'> & { meta?: { api_code?: unknown } };
type Transaction = { type: 'bet' | 'win'; amount: string; id_provider: string };
type Signing = { sign?: (body: string) => string; write?: (body: object) => string };

/** Sends a request, and reads what the wallet responds. */
async function call(
  { post, settings: { casinos } }: SoftswissEndpoint,
  rpc: Rpc,
  body: object,
  { sign, write = JSON.stringify }: Signing = {},
): Promise<Response> {
  const [{ token, path = '' }] = casinos;
  const text = write(body);
  const headers = { [SIGNATURE_HEADER]: sign === undefined ? signatureOf(text, token) : sign(text) };
  const { response } = await post(`${path}${RPC_PATH}${rpc}`, text, headers);
  if (!response.came) throw new CheckFailure(response.why);
  const { meta, ...fields } = membersOf(response.body) as Members;
  return {
    ...fields,
    status: response.status,
    ...(meta?.api_code !== undefined && { apiCode: String(meta.api_code) }),
  };
}

const money = ({ facts }: SoftswissEndpoint, amount: bigint) => textOf(amount, decimalsOf(facts.currency));
const playerOf = ({ facts: { player, currency, token } }: SoftswissEndpoint) => ({
  account_id: player,
  currency,
  session_id: token,
});
const newRound = () => String(randomInt(2 ** 40));

type Play = { round: string; finished?: boolean; transactions: Transaction[]; more?: object };

function betWin(endpoint: SoftswissEndpoint, { round, finished = false, transactions, more }: Play, signing?: Signing) {
  const place = { ...playerOf(endpoint), game_id: endpoint.facts.gameID, round_id: round };
  return call(endpoint, 'Round/BetWin', { ...place, finished, transactions, ...more }, signing);
}

function betOf(endpoint: SoftswissEndpoint, amount = endpoint.facts.bet): Transaction {
  return { type: 'bet', amount: money(endpoint, amount), id_provider: randomUUID() };
}

function winOf(endpoint: SoftswissEndpoint, amount = endpoint.facts.bet): Transaction {
  return { ...betOf(endpoint, amount), type: 'win' };
}

function rollback(endpoint: SoftswissEndpoint, { round, original, id = randomUUID() }: Record<string, string>) {
  return call(endpoint, 'Round/Rollback', {
    ...playerOf(endpoint),
    game_id: endpoint.facts.gameID,
    round_id_provider: round,
    finished: true,
    transactions: [{ type: 'rollback', id_provider: id, original_id_provider: original }],
  });
}

/** Reads the balance in the smallest unit. */
async function balance(endpoint: SoftswissEndpoint): Promise<bigint> {
  const { facts } = endpoint;
  return amountIn(await call(endpoint, 'Player/Balance', { ...playerOf(endpoint), game_id: facts.gameID }), endpoint);
}

function amountIn(response: Response, { facts }: SoftswissEndpoint): bigint {
  must(response.status === 200, `status ${response.status} with api_code ${response.apiCode} instead of 200`);
  const text = response.balance;
  must(typeof text === 'string' && /^\d+(\.\d+)?$/.test(text), 'the balance is no decimal text');
  const [whole, fraction = ''] = String(text).split('.');
  return BigInt(`${whole}${fraction.padEnd(decimalsOf(facts.currency), '0').slice(0, decimalsOf(facts.currency))}`);
}

/**
 * The response is a success, names what was sent, and shows a balance that has changed by `gain`.
 */
function mustGain(endpoint: SoftswissEndpoint, response: Response, before: bigint, gain: bigint): void {
  const after = amountIn(response, endpoint);
  must(after - before === gain, `the balance has changed by ${after - before} instead of ${gain}`);
}

/** The wallet refuses, and the balance stays. */
async function mustRefuse(endpoint: SoftswissEndpoint, before: bigint, response: Response, apiCodes?: string[]) {
  must(response.status >= 400 && response.status < 500, `status ${response.status} instead of a refusal`);
  const { apiCode } = response;
  if (apiCodes) must(apiCodes.includes(apiCode ?? ''), `api_code ${apiCode} instead of ${apiCodes.join(' or ')}`);
  const after = await balance(endpoint);
  must(after === before, `the balance has changed by ${after - before}`);
}

const SIGNATURES: Rules = [
  rule('signature.wrong', 'A request with a wrong signature is refused with 403.', async (endpoint) => {
    const before = await balance(endpoint);
    const transactions = [betOf(endpoint)];
    const response = await betWin(endpoint, { round: newRound(), transactions }, { sign: () => '0'.repeat(64) });
    must(response.status === 403, `status ${response.status} instead of 403`);
    await mustRefuse(endpoint, before, response);
  }),
  rule('signature.exact-bytes', 'The signature is over the bytes as they were sent.', async (endpoint) => {
    const write = (body: object) => JSON.stringify(body, undefined, 2);
    await call(endpoint, 'Player/Balance', { ...playerOf(endpoint), game_id: endpoint.facts.gameID }, { write }).then(
      (response) => amountIn(response, endpoint),
    );
  }),
];

const RESPONSES: Rules = [
  rule('response.echo', 'The response names the round and each transaction, in their order.', async (endpoint) => {
    const [round, bet, win] = [newRound(), betOf(endpoint), winOf(endpoint)];
    const response = await betWin(endpoint, { round, finished: true, transactions: [bet, win] });
    must(response.round_id === round, `round_id ${response.round_id} instead of ${round}`);
    const ids = response.transactions?.map(({ id_provider }) => id_provider) ?? [];
    must(ids.join() === [bet, win].map(({ id_provider }) => id_provider).join(), 'the transactions are others');
  }),
  rule('response.balance-after', 'The balance is decimal text, and that after the request.', async (endpoint) => {
    const before = await balance(endpoint);
    const response = await betWin(endpoint, { round: newRound(), finished: true, transactions: [betOf(endpoint)] });
    mustGain(endpoint, response, before, -endpoint.facts.bet);
  }),
];

const PLAYS: Rules = [
  rule('play.bet-and-win', 'One request takes a bet and pays a win.', async (endpoint) => {
    const before = await balance(endpoint);
    const transactions = [betOf(endpoint), winOf(endpoint, endpoint.facts.bet * 3n)];
    const response = await betWin(endpoint, { round: newRound(), finished: true, transactions });
    mustGain(endpoint, response, before, endpoint.facts.bet * 2n);
  }),
  rule('play.smallest-unit', 'A win of the smallest unit of the currency is paid.', async (endpoint) => {
    const [before, round] = [await balance(endpoint), newRound()];
    await betWin(endpoint, { round, transactions: [betOf(endpoint)] });
    const response = await betWin(endpoint, { round, finished: true, transactions: [winOf(endpoint, 1n)] });
    mustGain(endpoint, response, before, 1n - endpoint.facts.bet);
  }),
  rule('play.finish', 'A round without a win is finished without money.', async (endpoint) => {
    const [before, round] = [await balance(endpoint), newRound()];
    await betWin(endpoint, { round, transactions: [betOf(endpoint)] });
    const response = await call(endpoint, 'Round/Finish', { ...playerOf(endpoint), round_id: round });
    mustGain(endpoint, response, before, -endpoint.facts.bet);
  }),
  rule('play.expired-session', 'A win is paid when the session has expired.', async (endpoint) => {
    const { expiredToken, bet } = endpoint.facts;
    const [before, round] = [await balance(endpoint), newRound()];
    await betWin(endpoint, { round, transactions: [betOf(endpoint)] });
    const more = { session_id: expiredToken };
    const response = await betWin(endpoint, { round, finished: true, transactions: [winOf(endpoint, bet * 2n)], more });
    mustGain(endpoint, response, before, bet);
  }),
];

const REPETITIONS: Rules = [
  rule('repeat.bet', 'A repeated bet is a success and takes nothing.', async (endpoint) => {
    const [before, round, transactions] = [await balance(endpoint), newRound(), [betOf(endpoint)]];
    await betWin(endpoint, { round, transactions });
    mustGain(endpoint, await betWin(endpoint, { round, transactions }), before, -endpoint.facts.bet);
  }),
  rule('repeat.win', 'A repeated win is a success and pays nothing.', async (endpoint) => {
    const [before, round, transactions] = [await balance(endpoint), newRound(), [winOf(endpoint)]];
    await betWin(endpoint, { round, transactions: [betOf(endpoint)] });
    await betWin(endpoint, { round, finished: true, transactions });
    mustGain(endpoint, await betWin(endpoint, { round, finished: true, transactions }), before, 0n);
  }),
  rule('repeat.other-amount', 'A known id with another amount is refused with 409.', async (endpoint) => {
    const [round, bet] = [newRound(), betOf(endpoint)];
    const before = amountIn(await betWin(endpoint, { round, transactions: [bet] }), endpoint);
    const other = { ...bet, amount: money(endpoint, endpoint.facts.bet + 1n) };
    await mustRefuse(endpoint, before, await betWin(endpoint, { round, transactions: [other] }), ['409']);
  }),
  rule('repeat.rollback', 'A repeated rollback is a success and returns nothing.', async (endpoint) => {
    const [before, round, bet, id] = [await balance(endpoint), newRound(), betOf(endpoint), randomUUID()];
    await betWin(endpoint, { round, transactions: [bet] });
    await rollback(endpoint, { round, original: bet.id_provider, id });
    mustGain(endpoint, await rollback(endpoint, { round, original: bet.id_provider, id }), before, 0n);
  }),
];

const ROLLBACKS: Rules = [
  rule('rollback.once', 'Two rollbacks of one bet return it once.', async (endpoint) => {
    const [before, round, bet] = [await balance(endpoint), newRound(), betOf(endpoint)];
    await betWin(endpoint, { round, transactions: [bet] });
    await rollback(endpoint, { round, original: bet.id_provider });
    mustGain(endpoint, await rollback(endpoint, { round, original: bet.id_provider }), before, 0n);
  }),
  rule('rollback.unknown', 'A rollback of an unknown bet is a success.', async (endpoint) => {
    const before = await balance(endpoint);
    mustGain(endpoint, await rollback(endpoint, { round: newRound(), original: randomUUID() }), before, 0n);
  }),
  rule('rollback.late-bet', 'A bet that comes after its rollback takes nothing.', async (endpoint) => {
    const [before, round, bet] = [await balance(endpoint), newRound(), betOf(endpoint)];
    await rollback(endpoint, { round, original: bet.id_provider });
    await betWin(endpoint, { round, transactions: [bet] });
    const after = await balance(endpoint);
    must(after === before, `the balance has changed by ${after - before}`);
  }),
];

/** It is not a name of a player, a round or an issue. */
const NOBODY = 'roundhouse-check-nobody';

const REFUSALS: Rules = [
  rule('refusal.funds', 'A bet above the balance is refused with 100.', async (endpoint) => {
    const before = await balance(endpoint);
    const transactions = [betOf(endpoint, before + 1n)];
    await mustRefuse(endpoint, before, await betWin(endpoint, { round: newRound(), transactions }), ['100']);
  }),
  rule('refusal.whole', 'A request that is refused does none of its transactions.', async (endpoint) => {
    const before = await balance(endpoint);
    const transactions = [betOf(endpoint), betOf(endpoint, before)];
    await mustRefuse(endpoint, before, await betWin(endpoint, { round: newRound(), transactions }), ['100']);
  }),
  rule('refusal.currency', 'A bet in another currency is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    const more = { currency: endpoint.facts.currency === 'EUR' ? 'USD' : 'EUR' };
    const response = await betWin(endpoint, { round: newRound(), transactions: [betOf(endpoint)], more });
    await mustRefuse(endpoint, before, response, ['101', '154', '400']);
  }),
  rule('refusal.amount', 'An amount with an exponent is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    const transactions = [{ ...betOf(endpoint), amount: '1e0' }];
    await mustRefuse(endpoint, before, await betWin(endpoint, { round: newRound(), transactions }), ['400']);
  }),
  rule('refusal.player', 'A bet of an unknown player is refused with 101.', async (endpoint) => {
    const before = await balance(endpoint);
    const more = { account_id: NOBODY, session_id: undefined };
    const response = await betWin(endpoint, { round: newRound(), transactions: [betOf(endpoint)], more });
    await mustRefuse(endpoint, before, response, ['101']);
  }),
  rule('refusal.free-spins', 'The win of unknown free spins is refused.', async (endpoint) => {
    const before = await balance(endpoint);
    const content = { issue_id: randomUUID(), amount: money(endpoint, endpoint.facts.bet) };
    await mustRefuse(endpoint, before, await call(endpoint, 'Freespins/Finish', content));
  }),
];

export const rules: Rules = [...[...SIGNATURES, ...RESPONSES, ...PLAYS, ...REPETITIONS, ...ROLLBACKS, ...REFUSALS]];
