import { randomUUID } from 'node:crypto';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { expiredTokenOf, membersOf, rule } from '../kit/rule.ts';
import { type Hub88Settings, SIGNATURE_HEADER, signatureOf } from './wire.ts';

type Hub88Endpoint = Endpoint<Hub88Settings>;
type Fields = Readonly<Record<string, unknown>>;
type Call = { path: string; fields: Fields; signature?: string | undefined };
type Answer = { httpStatus: number; status: unknown; request_uuid: unknown; balance: unknown; currency: unknown };

const OK = 'RS_OK';
const UNKNOWN_UUID = 'd9b2d63d-a233-4123-847a-7090a1a5c0b6';

/** Sends a request with these fields besides the usual ones. Without a signature it is signed. */
async function send({ facts, settings, post }: Hub88Endpoint, { path, fields, signature }: Call): Promise<Answer> {
  const all = {
    user: facts.player,
    supplier_user: `${settings.operatorIDs[0]}/${facts.player}`,
    token: facts.token,
    request_uuid: randomUUID(),
    game_code: facts.gameID,
    ...fields,
  };
  const body = JSON.stringify(all);
  const signed = signature ?? signatureOf(body, settings.privateKey);
  const { response } = await post(path, body, signed === '' ? {} : { [SIGNATURE_HEADER]: signed });
  if (!response.came) throw new CheckFailure(`no response: ${response.why}`);
  const answer = membersOf(response.body) as Omit<Answer, 'httpStatus'>;
  if (answer.request_uuid !== all.request_uuid && answer.status === OK)
    throw new CheckFailure('the response has another request_uuid');
  return { ...answer, httpStatus: response.status };
}

function betFields({ facts }: Hub88Endpoint): Fields {
  const round = String(Math.floor(Math.random() * 1e15));
  const moved = { transaction_uuid: randomUUID(), round, round_closed: false, currency: facts.currency };
  return { ...moved, amount: Number(facts.bet), is_free: false };
}

/** The win or the rollback of a bet. */
function after(bet: Fields, more: Fields = {}): Fields {
  const { transaction_uuid, round, currency } = bet;
  const fields = { reference_transaction_uuid: transaction_uuid, transaction_uuid: randomUUID(), round, currency };
  return { ...fields, round_closed: true, ...more };
}

const bet = (endpoint: Hub88Endpoint, fields: Fields) => send(endpoint, { path: '/transaction/bet', fields });
const win = (endpoint: Hub88Endpoint, fields: Fields) =>
  send(endpoint, {
    path: '/transaction/win',
    fields: { amount: Number(endpoint.facts.bet), is_free: false, ...fields },
  });
const rollback = (endpoint: Hub88Endpoint, fields: Fields) => send(endpoint, { path: '/transaction/rollback', fields });

function expectStatus({ status }: Answer, ...allowed: string[]): void {
  if (!allowed.includes(String(status))) throw new CheckFailure(`${status} instead of ${allowed.join(' or ')}`);
}

function expectRefused({ status }: Answer, what: string): void {
  if (status === OK) throw new CheckFailure(`${what} was taken`);
}

async function balanceOf(endpoint: Hub88Endpoint, fields: Fields = {}): Promise<number> {
  const answer = await send(endpoint, { path: '/user/balance', fields });
  expectStatus(answer, OK);
  if (!Number.isSafeInteger(answer.balance)) throw new CheckFailure('the balance is no whole number of 10^-5 units');
  return Number(answer.balance);
}

/** Runs, and checks that the balance has changed by `by`. */
async function changes(endpoint: Hub88Endpoint, by: number, run: () => Promise<void>): Promise<void> {
  const before = await balanceOf(endpoint);
  await run();
  const changed = (await balanceOf(endpoint)) - before;
  if (changed !== by) throw new CheckFailure(`the balance has changed by ${changed} instead of ${by}`);
}

/** Takes a bet, and runs with its fields. */
async function withBet(endpoint: Hub88Endpoint, run: (fields: Fields) => Promise<void>): Promise<void> {
  const fields = betFields(endpoint);
  expectStatus(await bet(endpoint, fields), OK);
  await run(fields);
}

/** A request that is wrong in one field moves nothing and has this status. */
function refusal(id: string, what: string, more: Fields | ((endpoint: Hub88Endpoint) => Fields), ...allowed: string[]) {
  const sentence = `A bet ${what} has the status ${allowed.join(' or ')}, and moves nothing.`;
  return rule(`bet.${id}`, sentence, (endpoint: Hub88Endpoint) =>
    changes(endpoint, 0, async () => {
      const fields = typeof more === 'function' ? more(endpoint) : more;
      expectStatus(await bet(endpoint, { ...betFields(endpoint), ...fields }), ...allowed);
    }),
  );
}

const WRONG = ['RS_ERROR_WRONG_SYNTAX', 'RS_ERROR_WRONG_TYPES'];

export const rules: readonly Rule<Hub88Settings>[] = [
  rule(
    'signature.right',
    'A request that is signed with the RSA key of the supplier gets RS_OK, and a whole balance.',
    async (endpoint) => void (await balanceOf(endpoint)),
  ),
  rule('signature.wrong', 'A wrong signature has the status RS_ERROR_INVALID_SIGNATURE.', async (endpoint) => {
    const signature = Buffer.alloc(256, 7).toString('base64');
    expectStatus(await send(endpoint, { path: '/user/balance', fields: {}, signature }), 'RS_ERROR_INVALID_SIGNATURE');
  }),
  rule(
    'signature.missing',
    'A request without a signature has the status RS_ERROR_INVALID_SIGNATURE.',
    async (endpoint) => {
      const answer = await send(endpoint, { path: '/user/balance', fields: {}, signature: '' });
      expectStatus(answer, 'RS_ERROR_INVALID_SIGNATURE');
    },
  ),
  rule('status.http', 'A refusal has the HTTP status 200.', async (endpoint) => {
    const { httpStatus } = await send(endpoint, { path: '/user/balance', fields: { token: 'nobody-has-it' } });
    if (httpStatus !== 200) throw new CheckFailure(`the HTTP status is ${httpStatus}`);
  }),
  rule('request.twice', 'The same request_uuid is not processed twice.', (endpoint) =>
    changes(endpoint, -Number(endpoint.facts.bet), async () => {
      const request_uuid = randomUUID();
      await bet(endpoint, { ...betFields(endpoint), request_uuid });
      await bet(endpoint, { ...betFields(endpoint), request_uuid });
    }),
  ),
  rule(
    'bet.twice',
    'The same transaction_uuid with the same content is RS_OK again, and moves nothing more.',
    (endpoint) =>
      changes(endpoint, -Number(endpoint.facts.bet), () =>
        withBet(endpoint, async (fields) => expectStatus(await bet(endpoint, fields), OK)),
      ),
  ),
  rule(
    'bet.duplicate',
    'A known transaction_uuid with another amount has the status RS_ERROR_DUPLICATE_TRANSACTION.',
    (endpoint) =>
      withBet(endpoint, async (fields) => {
        const other = { ...fields, amount: Number(fields.amount) + 1 };
        expectStatus(await bet(endpoint, other), 'RS_ERROR_DUPLICATE_TRANSACTION');
      }),
  ),
  rule('bet.above', 'A bet above the balance has the status RS_ERROR_NOT_ENOUGH_MONEY.', async (endpoint) => {
    const amount = (await balanceOf(endpoint)) + 1;
    expectStatus(await bet(endpoint, { ...betFields(endpoint), amount }), 'RS_ERROR_NOT_ENOUGH_MONEY');
  }),
  refusal('text', 'with text as its amount', { amount: '100000' }, ...WRONG),
  refusal('token', 'with an unknown token', { token: UNKNOWN_UUID }, 'RS_ERROR_INVALID_TOKEN'),
  refusal(
    'expired',
    'with an expired token',
    (endpoint) => ({ token: expiredTokenOf(endpoint) }),
    'RS_ERROR_TOKEN_EXPIRED',
    'RS_ERROR_INVALID_TOKEN',
  ),
  refusal('currency', 'in another currency', { currency: 'XTS' }, 'RS_ERROR_WRONG_CURRENCY', ...WRONG),
  refusal('game', 'of an unknown game', { game_code: 'no-such-game' }, 'RS_ERROR_INVALID_GAME'),
  rule('bet.user', 'A bet of another user than that of the token is refused.', (endpoint) =>
    changes(endpoint, 0, async () =>
      expectRefused(await bet(endpoint, { ...betFields(endpoint), user: 'another-user' }), 'a bet of another user'),
    ),
  ),
  rule('free.unknown', 'A free bet of an unknown reward is refused.', async (endpoint) => {
    const free = { amount: 0, is_free: true, reward_uuid: UNKNOWN_UUID };
    expectRefused(await bet(endpoint, { ...betFields(endpoint), ...free }), 'an unknown reward');
  }),
  rule('win.twice', 'A win is paid once, however often it is sent.', (endpoint) =>
    changes(endpoint, 0, () =>
      withBet(endpoint, async (fields) => {
        const paid = after(fields);
        expectStatus(await win(endpoint, paid), OK);
        expectStatus(await win(endpoint, paid), OK);
      }),
    ),
  ),
  rule(
    'win.unknown',
    'A win of an unknown bet has the status RS_ERROR_TRANSACTION_DOES_NOT_EXIST.',
    async (endpoint) => {
      expectStatus(await win(endpoint, after(betFields(endpoint))), 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST');
    },
  ),
  rule('win.rolled-back', 'A win of a bet that was rolled back is refused.', (endpoint) =>
    withBet(endpoint, async (fields) => {
      await rollback(endpoint, after(fields));
      expectRefused(await win(endpoint, after(fields)), 'the win of a bet that was rolled back');
    }),
  ),
  rule('win.expired', 'A win needs no live token.', (endpoint) =>
    withBet(endpoint, async (fields) =>
      expectStatus(await win(endpoint, after(fields, { token: expiredTokenOf(endpoint) })), OK),
    ),
  ),
  rule('rollback.expired', 'A rollback needs no live token.', (endpoint) =>
    withBet(endpoint, async (fields) =>
      expectStatus(await rollback(endpoint, after(fields, { token: expiredTokenOf(endpoint) })), OK),
    ),
  ),
  rule('rollback.twice', 'A bet is rolled back once, also by rollbacks of different ids.', (endpoint) =>
    changes(endpoint, 0, () =>
      withBet(endpoint, async (fields) => {
        expectStatus(await rollback(endpoint, after(fields)), OK);
        await rollback(endpoint, after(fields));
      }),
    ),
  ),
  rule('rollback.late-bet', 'A bet that comes after its rollback is refused.', (endpoint) =>
    changes(endpoint, 0, async () => {
      const fields = betFields(endpoint);
      expectStatus(await rollback(endpoint, after(fields)), OK, 'RS_ERROR_TRANSACTION_DOES_NOT_EXIST');
      expectRefused(await bet(endpoint, fields), 'a bet that was rolled back before');
    }),
  ),
];
