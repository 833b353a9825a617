import { generateKeyPairSync, randomInt, randomUUID } from 'node:crypto';
import { CheckFailure, type Endpoint, NotTestable, type Rule } from '../kit/check.ts';
import { expiredTokenOf, membersOf, must, rule } from '../kit/rule.ts';
import { type EngineSettings, type ErrorCode, SIGNATURE_HEADER, STATUS_OF, signatureOf } from './wire.ts';

type EngineEndpoint = Endpoint<EngineSettings>;
type Fields = Readonly<Record<string, unknown>>;
type Answer = {
  status: number;
  code?: unknown;
  message?: unknown;
  debit_id?: unknown;
  credit_id?: unknown;
  rollback_ids?: unknown;
  balance?: { amount?: unknown; currency?: unknown };
};
type Name = 'balance' | 'debit' | 'credit' | 'rollback';
/** write: the body of the members. sign: the header of the body; undefined leaves it out. */
type Signing = { write?: (body: string) => string; sign?: (body: string) => string | undefined };

async function send(
  endpoint: EngineEndpoint,
  name: Name,
  fields: Fields,
  { write, sign }: Signing = {},
): Promise<Answer> {
  const { facts, settings, post } = endpoint;
  const { round, ...members } = fields;
  const plain = JSON.stringify({ token: facts.token, ...members });
  // A round is a number of any size.
  const full = round === undefined ? plain : `{"round":${round},${plain.slice(1)}`;
  const body = write === undefined ? full : write(full);
  const signature = sign === undefined ? signatureOf(body, settings.privateKey) : sign(body);
  const { response } = await post(
    `/v1/${name}`,
    body,
    signature === undefined ? {} : { [SIGNATURE_HEADER]: signature },
  );
  if (!response.came) throw new CheckFailure(`no response: ${response.why}`);
  return { ...membersOf(response.body), status: response.status };
}

function done({ currency }: { currency: string }, what: string, answer: Answer): Answer & { amount: number } {
  const { status, code, balance } = answer;
  must(status >= 200 && status < 300, `${what} has status ${status}, with ${String(code)}`);
  must(code === undefined, `${what} has the code ${String(code)}`);
  must(balance?.currency === currency, `${what} has no balance in ${currency}`);
  must(Number.isSafeInteger(balance?.amount), `${what} has no balance in whole micros`);
  return { ...answer, amount: Number(balance?.amount) };
}

function refused(what: string, { status, code, message }: Answer, expected: ErrorCode): void {
  must(code === expected, `${what} has ${String(code)} with status ${status} instead of ${expected}`);
  must(status === STATUS_OF[expected], `${expected} of ${what} has status ${status}`);
  must(typeof message === 'string', `${expected} of ${what} has no message`);
}

/** A round with a debit that was not sent yet. */
type Play = { endpoint: EngineEndpoint; round: string; id: string; stake: number; currency: string };

function newPlay(endpoint: EngineEndpoint): Play {
  const { bet, currency } = endpoint.facts;
  return { endpoint, round: String(randomInt(2 ** 47)), id: randomUUID(), stake: Number(bet), currency };
}

const another = (play: Play): Play => ({ ...play, id: randomUUID() });
const moneyOf = ({ id, stake, currency }: Play, more: Fields = {}) => ({ id, amount: stake, currency, ...more });
const winOf = (play: Play, more: Fields = {}) => ({ ...moneyOf(play), id: randomUUID(), ref: play.id, ...more });
const fieldsOf = ({ round }: Play) => ({ round, ip: '203.0.113.5' });

function debit(play: Play, more: Fields = {}, signing?: Signing): Promise<Answer> {
  const fields = { ...fieldsOf(play), mode: 'BASE', active: true, debit: moneyOf(play), credit: null, ...more };
  return send(play.endpoint, 'debit', fields, signing);
}

/** A debit with its win. */
const shot = (play: Play, win: Fields) => debit(play, { active: false, credit: win });

function credit(play: Play, more: Fields = {}): Promise<Answer> {
  return send(play.endpoint, 'credit', { ...fieldsOf(play), active: false, credit: winOf(play), ...more });
}

function rollback(plays: Play | [Play, Play], more: Fields = {}): Promise<Answer> {
  const [first, ...others] = [plays].flat() as [Play, ...Play[]];
  const rollbacks = [first, ...others].map(({ id }) => ({ id: randomUUID(), ref: id }));
  return send(first.endpoint, 'rollback', { round: first.round, active: false, rollbacks, ...more });
}

async function debited(play: Play, more: Fields = {}) {
  const answer = done(play, 'a debit', await debit(play, more));
  must(isID(answer.debit_id), 'a debit has no debit_id');
  return answer;
}

const isID = (id: unknown): id is string => typeof id === 'string' && id !== '';

function rollbackIDs(answer: Answer, count = 1): string[] {
  const { rollback_ids: ids } = answer;
  must(Array.isArray(ids) && ids.length === count && ids.every(isID), `there are not ${count} rollback_ids`);
  return ids as string[];
}

async function balanceOf(endpoint: EngineEndpoint): Promise<number> {
  return done(endpoint.facts, 'the balance', await send(endpoint, 'balance', {})).amount;
}

/** The same play with a stake that the balance does not cover. */
async function above(play: Play): Promise<Play> {
  return { ...play, stake: (await balanceOf(play.endpoint)) + 1 };
}

type Run = (play: Play) => Promise<unknown>;

/** It runs with a new play, and changes the balance by this number of bets. */
function moving(id: string, sentence: string, bets: number, run: Run): Rule<EngineSettings> {
  return rule(id, sentence, async (endpoint: EngineEndpoint) => {
    const before = await balanceOf(endpoint);
    await run(newPlay(endpoint));
    const changed = (await balanceOf(endpoint)) - before;
    const expected = bets * Number(endpoint.facts.bet);
    must(changed === expected, `the balance has changed by ${changed} instead of ${expected}`);
  });
}

/** A debit with these members is refused, and moves nothing. */
function badDebit(name: string, what: string, more: (play: Play) => Fields): Rule<EngineSettings> {
  return moving(`debit.${name}`, `A debit ${what} is ERR_BAD, and moves nothing.`, 0, async (play) =>
    refused('the debit', await debit(play, { debit: moneyOf(play, more(play)) }), 'ERR_BAD'),
  );
}

const otherCurrency = (currency: string) => (currency === 'EUR' ? 'USD' : 'EUR');
const REPEATS = 3;

/** Sends the same request again and again, and expects the first response. */
async function repeat(first: Answer, again: () => Promise<Answer>, id: 'debit_id' | 'credit_id' | 'rollback_ids') {
  for (let times = 1; times < REPEATS; times += 1) {
    const answer = await again();
    must(JSON.stringify(answer[id]) === JSON.stringify(first[id]), `a repetition has another ${id}`);
    must(answer.balance?.amount === first.balance?.amount, 'a repetition has another balance');
  }
}

export const rules: readonly Rule<EngineSettings>[] = [
  rule('health.up', 'The health request is answered with a status of 2xx, without a signature.', async (endpoint) => {
    const { healthPath } = endpoint.settings;
    if (healthPath === undefined) throw new NotTestable('the settings have no healthPath');
    const { response } = await endpoint.get(healthPath);
    must(response.came && response.status >= 200 && response.status < 300, 'it is not answered with 2xx');
  }),
  moving('signature.right', 'A signed request gets a balance of whole micros in its currency.', 0, ({ endpoint }) =>
    balanceOf(endpoint),
  ),
  moving('signature.missing', 'An unsigned debit is ERR_ATE, and moves nothing.', 0, async (play) => {
    refused('it', await debit(play, {}, { sign: () => undefined }), 'ERR_ATE');
  }),
  moving('signature.wrong', 'A debit signed with another key is ERR_ATE, and moves nothing.', 0, async (play) => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const other = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    refused('it', await debit(play, {}, { sign: (body) => signatureOf(body, other) }), 'ERR_ATE');
  }),
  rule('signature.bytes', 'The signature is over the bytes as they came, blanks included.', async (endpoint) => {
    const answer = await send(endpoint, 'balance', {}, { write: (body) => body.replace(':', ' : ') });
    done(endpoint.facts, 'a body with blanks', answer);
  }),
  rule('signature.first', 'The signature is checked before the body is read.', async (endpoint) => {
    const answer = await send(endpoint, 'balance', {}, { write: () => 'no JSON', sign: () => undefined });
    refused('an unsigned body that is no JSON', answer, 'ERR_ATE');
  }),
  rule('body.json', 'A signed body that is no JSON is ERR_BAD.', async (endpoint) => {
    refused('it', await send(endpoint, 'balance', {}, { write: () => 'no JSON' }), 'ERR_BAD');
  }),
  moving('token.unknown', 'An unknown token is ERR_IS, and moves nothing.', 0, async (play) => {
    refused('a balance', await send(play.endpoint, 'balance', { token: randomUUID() }), 'ERR_IS');
    refused('a debit', await debit(play, { token: randomUUID() }), 'ERR_IS');
  }),
  moving('token.old', 'An old session takes a debit, a credit and a rollback.', 0, async (play) => {
    const token = expiredTokenOf(play.endpoint);
    await debited(play, { token });
    done(play, 'a credit', await credit(play, { token }));
    const other = newPlay(play.endpoint);
    await debited(other, { token });
    done(play, 'a rollback', await rollback(other, { token }));
  }),
  moving('balance.after', 'A response has the balance after the request.', -1, async (play) => {
    const before = await balanceOf(play.endpoint);
    const { amount } = await debited(play);
    must(amount === before - play.stake, `a debit has the balance ${amount} instead of ${before - play.stake}`);
  }),
  moving('round.digits', 'Rounds above 2^53 are told apart.', -2, async (play) => {
    const number = 2n ** 53n + 4n * BigInt(randomInt(2 ** 40));
    await debited({ ...play, round: String(number) }, { active: false });
    await debited({ ...another(play), round: String(number + 1n) }, { active: false });
  }),
  moving('debit.repeated', 'A repeated debit takes one stake, and has its debit_id and balance.', -1, async (play) => {
    await repeat(await debited(play), () => debited(play), 'debit_id');
  }),
  moving('debit.repeated-late', 'A debit that is repeated in a closed round has its debit_id.', -1, async (play) => {
    const first = await debited(play);
    done(play, 'a losing close', await credit(play, { credit: null }));
    await repeat(first, () => debited(play), 'debit_id');
  }),
  moving('debit.two', 'Another debit of an open round takes another stake.', -2, async (play) => {
    const first = await debited(play);
    const second = await debited(another(play));
    must(first.debit_id !== second.debit_id, 'both have one debit_id');
  }),
  moving('debit.above', 'A debit above the balance is ERR_IPB, and its credit ERR_BNF.', 0, async (play) => {
    refused('it', await debit(await above(play)), 'ERR_IPB');
    refused('a credit', await credit(play), 'ERR_BNF');
  }),
  moving('debit.above-second', 'After a second debit with ERR_IPB, the round is still open.', 0, async (play) => {
    await debited(play);
    refused('it', await debit(await above(another(play))), 'ERR_IPB');
    done(play, 'a credit of the first', await credit(play));
  }),
  badDebit('zero', 'of 0', () => ({ amount: 0 })),
  badDebit('negative', 'below 0', ({ stake }) => ({ amount: -stake })),
  badDebit('fraction', 'of half a micro', ({ stake }) => ({ amount: stake + 0.5 })),
  badDebit('text', 'with text as its amount', ({ stake }) => ({ amount: String(stake) })),
  badDebit('currency', 'in another currency', ({ currency }) => ({ currency: otherCurrency(currency) })),
  moving('debit.empty-texts', 'The mode and the address of a debit may be empty.', -1, async (play) => {
    await debited(play, { mode: '', ip: '' });
  }),
  moving('debit.closing', 'A debit with active false closes its round, without a credit_id.', -1, async (play) => {
    const { credit_id } = await debited(play, { active: false });
    must(credit_id == null, 'it has a credit_id');
    refused('a credit', await credit(play), 'ERR_BC');
  }),
  moving('debit.closed', 'A debit of a closed round is ERR_BC.', -1, async (play) => {
    await debited(play, { active: false });
    refused('it', await debit(another(play)), 'ERR_BC');
  }),
  moving('single.repeated', 'A repeated single shot takes and pays once, and has its two ids.', 0, async (play) => {
    const win = winOf(play);
    const again = async () => done(play, 'a single shot', await shot(play, win));
    const first = await again();
    must(isID(first.debit_id) && isID(first.credit_id), 'it has no debit_id, or no credit_id');
    await repeat(first, again, 'debit_id');
    await repeat(first, again, 'credit_id');
  }),
  moving('single.above', 'A win never funds its stake: such a single shot is ERR_IPB.', 0, async (play) => {
    const tooMuch = await above(play);
    refused('it', await shot(tooMuch, winOf(tooMuch, { amount: 2 * tooMuch.stake })), 'ERR_IPB');
  }),
  moving('single.lost', 'A single shot may win 0.', -1, async (play) => {
    const { credit_id } = done(play, 'it', await shot(play, winOf(play, { amount: 0 })));
    must(isID(credit_id), 'it has no credit_id');
  }),
  moving('single.currency', 'A single shot whose win has another currency is ERR_BAD.', 0, async (play) => {
    const win = winOf(play, { currency: otherCurrency(play.currency) });
    refused('it', await shot(play, win), 'ERR_BAD');
  }),
  moving('single.closed', 'A single shot closes its round.', 0, async (play) => {
    done(play, 'it', await shot(play, winOf(play)));
    refused('a credit', await credit(play), 'ERR_BC');
  }),
  moving('credit.repeated', 'A repeated credit pays once, and has its credit_id.', 1, async (play) => {
    await debited(play);
    const win = winOf(play, { amount: 2 * play.stake });
    const again = async () => done(play, 'a credit', await credit(play, { credit: win }));
    const first = await again();
    must(isID(first.credit_id), 'it has no credit_id');
    await repeat(first, again, 'credit_id');
  }),
  moving('credit.accumulates', 'Several credits of an open round are all paid.', 1, async (play) => {
    await debited(play);
    const first = done(play, 'a credit', await credit(play, { active: true }));
    const second = done(play, 'another credit', await credit(play));
    must(first.credit_id !== second.credit_id, 'both have one credit_id');
  }),
  moving('credit.closed', 'Another credit of a closed round is ERR_BC.', 0, async (play) => {
    await debited(play);
    done(play, 'a credit', await credit(play));
    refused('another credit', await credit(play), 'ERR_BC');
  }),
  moving('credit.unknown', 'A credit of a round without a debit is ERR_BNF.', 0, async (play) => {
    refused('it', await credit(play), 'ERR_BNF');
    refused('a losing close', await credit(play, { credit: null }), 'ERR_BNF');
  }),
  moving('credit.lost', 'A credit without a win closes the round, without a credit_id.', -1, async (play) => {
    await debited(play);
    for (const members of [{ credit: null }, { credit: undefined }]) {
      const { credit_id } = done(play, 'a losing close', await credit(play, members));
      must(credit_id == null, 'it has a credit_id');
    }
    refused('a credit', await credit(play), 'ERR_BC');
  }),
  moving('credit.bad', 'A credit below 0, of half a micro or in another currency is ERR_BAD.', -1, async (play) => {
    await debited(play);
    const others = [{ amount: -1 }, { amount: 0.5 }, { currency: otherCurrency(play.currency) }];
    for (const members of others) refused('it', await credit(play, { credit: winOf(play, members) }), 'ERR_BAD');
  }),
  moving('credit.session', 'A credit by the session of another round is ERR_IS.', -1, async (play) => {
    const token = expiredTokenOf(play.endpoint, 'token of another session');
    await debited(play);
    refused('it', await credit(play, { token }), 'ERR_IS');
  }),
  moving('rollback.repeated', 'A debit is returned once, and has its rollback_id, by any id.', 0, async (play) => {
    await debited(play);
    const rollbacks = [{ id: randomUUID(), ref: play.id }];
    const again = async () => done(play, 'a rollback', await rollback(play, { rollbacks }));
    const first = await again();
    const ids = rollbackIDs(first);
    await repeat(first, again, 'rollback_ids');
    const other = done(play, 'another rollback', await rollback(play));
    must(rollbackIDs(other)[0] === ids[0], 'another rollback of the debit has another id');
  }),
  moving('rollback.debit', 'A debit that is repeated after its rollback takes nothing.', 0, async (play) => {
    const { debit_id } = await debited(play);
    done(play, 'a rollback', await rollback(play));
    must((await debited(play)).debit_id === debit_id, 'it has another debit_id');
  }),
  moving('rollback.settled', 'A rollback in a round that a credit has closed is ERR_BC.', 0, async (play) => {
    await debited(play);
    done(play, 'a credit', await credit(play));
    refused('it', await rollback(play), 'ERR_BC');
  }),
  moving('rollback.closing', 'A rollback of a debit that has closed its round is ERR_BC.', -1, async (play) => {
    await debited(play, { active: false });
    refused('it', await rollback(play), 'ERR_BC');
  }),
  moving('rollback.unknown', 'A rollback of an unknown debit is done: the late debit is ERR_BAD.', 0, async (play) => {
    const rollbacks = [{ id: randomUUID(), ref: play.id }];
    const again = async () => done(play, 'the rollback', await rollback(play, { rollbacks }));
    const first = await again();
    rollbackIDs(first);
    await repeat(first, again, 'rollback_ids');
    refused('the late debit', await debit(play), 'ERR_BAD');
    refused('a credit', await credit(play), 'ERR_BNF');
  }),
  moving(
    'rollback.other-debits',
    'A rollback of an unknown debit leaves other debits as they are.',
    -2,
    async (play) => {
      await debited(play);
      const late = another(play);
      done(play, 'the rollback', await rollback(late, { active: true }));
      await debited(another(play));
      refused('the late debit', await debit(late), 'ERR_BAD');
    },
  ),
  moving('rollback.one', 'A rollback of one debit leaves the others, and the round open.', -2, async (play) => {
    const second = another(play);
    await debited(play);
    await debited(second);
    done(play, 'the rollback', await rollback(play, { active: true }));
    await debited(another(play));
    done(play, 'the close', await credit(second, { credit: null }));
  }),
  moving('rollback.all', 'A rollback of all debits returns each, and closes the round.', 0, async (play) => {
    const second = another(play);
    await debited(play);
    await debited(second);
    const ids = rollbackIDs(done(play, 'the rollback', await rollback([play, second])), 2);
    const single = async (each: Play) => rollbackIDs(done(play, 'a rollback of one', await rollback(each)), 1)[0];
    const inOrder = [await single(play), await single(second)];
    must(JSON.stringify(ids) === JSON.stringify(inOrder), 'the rollback_ids have another order');
    refused('another debit', await debit(another(play)), 'ERR_BC');
  }),
  moving('rollback.omitted', 'A rollback without active closes the round.', 0, async (play) => {
    await debited(play);
    done(play, 'the rollback', await rollback(play, { active: undefined }));
    refused('another debit', await debit(another(play)), 'ERR_BC');
  }),
  moving('rollback.session', 'A rollback by the session of another round is ERR_IS.', -1, async (play) => {
    const token = expiredTokenOf(play.endpoint, 'token of another session');
    await debited(play);
    refused('it', await rollback(play, { token }), 'ERR_IS');
  }),
];
