import { randomUUID } from 'node:crypto';
import { textOf } from '../kit/amounts.ts';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { expiredTokenOf, membersOf, must, rule } from '../kit/rule.ts';
import { decimalsOf, type Method, numberIn, type OnewalletSettings } from './wire.ts';

type Wallet = Endpoint<OnewalletSettings>;
type Response = { status: string; sid?: unknown; text: string };
type Bet = { refId: string; round: string };
type Move = Bet & { id?: string; amount?: bigint; sid?: string | undefined; more?: object };

/** Sends a request. `amount` is a number in the text of JSON. */
async function call(wallet: Wallet, method: Method, body: object, authToken = wallet.settings.authToken) {
  const uuid = randomUUID();
  const text = JSON.stringify({ ...body, uuid }).replace(/"amount":"(-?[\d.]+)"/, '"amount":$1');
  const { response } = await wallet.post(`/${method}?authToken=${encodeURIComponent(authToken)}`, text);
  if (!response.came) throw new CheckFailure(response.why);
  must(response.status === 200, `status ${response.status} of HTTP instead of 200`);
  const fields = membersOf(response.body);
  must(typeof fields.status === 'string', 'the response has no status');
  const isOther = fields.uuid !== undefined && fields.uuid !== null && fields.uuid !== uuid;
  must(!isOther, 'the uuid is not that of the request');
  return { ...fields, text: response.body } as Response;
}

const gameOf = ({ facts }: Wallet, round?: string) => ({
  ...(round !== undefined && { id: round }),
  type: 'slots',
  details: { table: { id: facts.gameID, vid: null } },
});
const playerOf = ({ facts: { token, player, currency } }: Wallet) => ({ sid: token, userId: player, currency });
const newBet = (): Bet => ({ refId: randomUUID(), round: randomUUID() });

function move(wallet: Wallet, method: 'debit' | 'credit' | 'cancel', { refId, round, id, amount, sid, more }: Move) {
  const { facts } = wallet;
  const names = { debit: `D${refId}`, credit: `C${refId}`, cancel: `D${refId}` };
  const text = textOf(amount ?? facts.bet, decimalsOf(facts.currency));
  return call(wallet, method, {
    ...playerOf(wallet),
    ...(sid !== undefined && { sid }),
    game: gameOf(wallet, round),
    transaction: { id: id ?? names[method], refId, amount: text },
    ...more,
  });
}

const debit = (wallet: Wallet, asked: Move) => move(wallet, 'debit', asked);
const credit = (wallet: Wallet, asked: Move) => move(wallet, 'credit', asked);
const cancel = (wallet: Wallet, asked: Move) => move(wallet, 'cancel', asked);

/** Returns the balance with the bonus, in the smallest unit. */
function balanceIn({ status, text }: Response, { facts }: Wallet): bigint {
  must(status === 'OK', `status ${status} instead of OK`);
  const decimals = decimalsOf(facts.currency);
  const balance = numberIn(text, 'balance', decimals);
  if (balance === undefined) throw new CheckFailure('the balance is no number with the decimals of the currency');
  return balance + (numberIn(text, 'bonus', decimals) ?? 0n);
}

async function balance(wallet: Wallet): Promise<bigint> {
  return balanceIn(await call(wallet, 'balance', { ...playerOf(wallet), game: gameOf(wallet) }), wallet);
}

/** The balance changes by `gain` while the steps are done. */
async function mustGain(wallet: Wallet, gain: bigint, steps: () => Promise<unknown>): Promise<void> {
  const before = await balance(wallet);
  await steps();
  const change = (await balance(wallet)) - before;
  must(change === gain, `the balance has changed by ${change} instead of ${gain}`);
}

async function mustBe(response: Promise<Response>, ...statuses: string[]): Promise<void> {
  const { status } = await response;
  must(statuses.includes(status), `status ${status} instead of ${statuses.join(' or ')}`);
}

const expiredSid = (wallet: Wallet) => expiredTokenOf(wallet, 'sid');

const SETTLED = 'BET_ALREADY_SETTLED';

export const rules: readonly Rule<OnewalletSettings>[] = [
  rule('token.wrong', 'A request with a wrong authToken is refused with INVALID_TOKEN_ID.', async (wallet) => {
    const body = { ...playerOf(wallet), game: gameOf(wallet) };
    await mustBe(call(wallet, 'balance', body, 'another'), 'INVALID_TOKEN_ID');
  }),
  rule('check.sid', 'check confirms the sid of the launch, and keeps it.', async (wallet) => {
    const { sid, userId } = playerOf(wallet);
    const response = await call(wallet, 'check', { sid, userId, channel: { type: 'P' } });
    must(response.status === 'OK', `status ${response.status} instead of OK`);
    must((response.sid ?? sid) === sid, 'check gives another sid');
  }),
  rule('check.expired', 'check refuses an expired sid.', async (wallet) => {
    const { userId } = playerOf(wallet);
    await mustBe(call(wallet, 'check', { sid: expiredSid(wallet), userId, channel: { type: 'P' } }), 'INVALID_SID');
  }),
  rule(
    'debit.balance-after',
    'A debit takes its amount, and the response has the balance after it.',
    async (wallet) => {
      const before = await balance(wallet);
      const after = balanceIn(await debit(wallet, newBet()), wallet);
      must(before - after === wallet.facts.bet, `the balance has changed by ${after - before}`);
    },
  ),
  rule('debit.expired', 'A debit with an expired sid is refused with INVALID_SID.', async (wallet) => {
    const sid = expiredSid(wallet);
    await mustGain(wallet, 0n, () => mustBe(debit(wallet, { ...newBet(), sid }), 'INVALID_SID'));
  }),
  rule('debit.repeated', 'A repeated debit takes nothing: BET_ALREADY_EXIST.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(debit(wallet, bet), 'BET_ALREADY_EXIST'));
  }),
  rule('debit.funds', 'A debit above the balance is refused with INSUFFICIENT_FUNDS.', async (wallet) => {
    const amount = (await balance(wallet)) + 1n;
    await mustGain(wallet, 0n, () => mustBe(debit(wallet, { ...newBet(), amount }), 'INSUFFICIENT_FUNDS'));
  }),
  rule('debit.currency', 'A debit in another currency is refused.', async (wallet) => {
    const more = { currency: wallet.facts.currency === 'EUR' ? 'USD' : 'EUR' };
    await mustGain(wallet, 0n, () => mustBe(debit(wallet, { ...newBet(), more }), 'INVALID_PARAMETER', 'INVALID_SID'));
  }),
  rule('debit.player', 'A debit of an unknown player is refused.', async (wallet) => {
    const more = { userId: 'roundhouse-check-nobody' };
    await mustBe(debit(wallet, { ...newBet(), more }), 'INVALID_PARAMETER', 'INVALID_SID');
  }),
  rule('credit.won', 'A credit pays its amount to the smallest unit.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    const amount = wallet.facts.bet + 1n;
    await mustGain(wallet, amount, () => mustBe(credit(wallet, { ...bet, amount }), 'OK'));
  }),
  rule('credit.lost', 'A credit of 0 closes a lost round.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, { ...bet, amount: 0n }), 'OK'));
  }),
  rule('credit.repeated', 'A repeated credit pays nothing, and is a success.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await credit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, bet), SETTLED, 'BET_ALREADY_EXIST', 'OK'));
  }),
  rule('credit.second', 'A second credit of one round pays nothing.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await credit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, { ...bet, id: `C${randomUUID()}` }), SETTLED));
  }),
  rule('credit.expired', 'A credit is paid when the sid has expired.', async (wallet) => {
    const [bet, sid] = [newBet(), expiredSid(wallet)];
    await debit(wallet, bet);
    await mustGain(wallet, wallet.facts.bet, () => mustBe(credit(wallet, { ...bet, sid }), 'OK'));
  }),
  rule('credit.unknown', 'A credit of an unknown bet is refused with BET_DOES_NOT_EXIST.', async (wallet) => {
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, newBet()), 'BET_DOES_NOT_EXIST'));
  }),
  rule('credit.cancelled', 'A credit of a cancelled bet pays nothing.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await cancel(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, bet), SETTLED));
  }),
  rule('credit.negative', 'A credit below zero is refused with INVALID_PARAMETER.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(credit(wallet, { ...bet, amount: -1n }), 'INVALID_PARAMETER'));
  }),
  rule('cancel.bet', 'A cancel returns the bet.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await mustGain(wallet, wallet.facts.bet, () => mustBe(cancel(wallet, bet), 'OK'));
  }),
  rule('cancel.repeated', 'A repeated cancel returns nothing, and is a success.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await cancel(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(cancel(wallet, bet), SETTLED, 'OK'));
  }),
  rule('cancel.amount', 'A cancel returns what the bet took, whatever amount it names.', async (wallet) => {
    const bet = newBet();
    const amount = wallet.facts.bet + 1n;
    await mustGain(wallet, 0n, async () => {
      await debit(wallet, bet);
      await cancel(wallet, { ...bet, amount });
      await cancel(wallet, bet);
    });
  }),
  rule('cancel.expired', 'A bet is returned when the sid has expired.', async (wallet) => {
    const [bet, sid] = [newBet(), expiredSid(wallet)];
    await debit(wallet, bet);
    await mustGain(wallet, wallet.facts.bet, () => mustBe(cancel(wallet, { ...bet, sid }), 'OK'));
  }),
  rule('cancel.paid', 'A cancel of a bet that is paid returns nothing.', async (wallet) => {
    const bet = newBet();
    await debit(wallet, bet);
    await credit(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(cancel(wallet, bet), SETTLED));
  }),
  rule('cancel.unknown', 'A cancel of an unknown bet moves nothing: BET_DOES_NOT_EXIST.', async (wallet) => {
    await mustGain(wallet, 0n, () => mustBe(cancel(wallet, newBet()), 'BET_DOES_NOT_EXIST', 'OK'));
  }),
  rule('cancel.late-bet', 'A bet that comes after its cancel takes nothing.', async (wallet) => {
    const bet = newBet();
    await cancel(wallet, bet);
    await mustGain(wallet, 0n, () => mustBe(debit(wallet, bet), 'FINAL_ERROR_ACTION_FAILED'));
  }),
];
