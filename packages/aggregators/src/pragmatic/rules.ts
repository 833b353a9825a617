import { randomInt, randomUUID } from 'node:crypto';
import { textOf } from '../kit/amounts.ts';
import { CheckFailure, type Endpoint, type Rule } from '../kit/check.ts';
import { expiredTokenOf, rule } from '../kit/rule.ts';
import { decimalsOf, FORM, hashOf, type Params, type PragmaticSettings } from './wire.ts';

type PragmaticEndpoint = Endpoint<PragmaticSettings>;
type Answer = Readonly<Record<string, unknown>> & { error: string };

/** Sends a request with a hash, unless `params` has one. The status is always 200. */
async function send({ post, settings }: PragmaticEndpoint, method: string, params: Params): Promise<Answer> {
  const all = { providerId: settings.providerId, ...params };
  const form = new URLSearchParams({ hash: hashOf(all, settings.secret), ...all });
  const { response } = await post(`/${method}.html`, String(form), { 'content-type': FORM });
  if (!response.came) throw new CheckFailure(`no response: ${response.why}`);
  if (response.status !== 200) throw new CheckFailure(`the status is ${response.status} instead of 200`);
  const answer = parse(response.body);
  return { ...answer, error: String(answer.error) };
}

function parse(body: string): Record<string, unknown> {
  try {
    const answer = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && 'error' in answer) return answer;
  } catch {
    // The failure says it.
  }
  throw new CheckFailure('the response is no JSON object with an error');
}

const newReference = () => randomUUID().replaceAll('-', '');

function betOf({ facts }: PragmaticEndpoint): Params {
  return {
    userId: facts.player,
    gameId: facts.gameID,
    roundId: String(randomInt(1, 2 ** 47)),
    roundDetails: 'spin',
    amount: textOf(facts.bet, decimalsOf(facts.currency)),
    reference: newReference(),
    timestamp: String(Date.now()),
  };
}

const winOf = (bet: Params): Params => ({ ...bet, reference: newReference() });
const roundOf = ({ userId = '', gameId = '', roundId = '' }: Params): Params => ({ userId, gameId, roundId });
const refundOf = ({ userId = '', reference = '' }: Params): Params => ({ userId, reference });

/** Adds cash and bonus, in the smallest unit. */
function moneyIn({ cash, bonus = 0 }: Answer, { facts }: PragmaticEndpoint): bigint {
  const decimals = decimalsOf(facts.currency);
  const [all = 0n, ...more] = [cash, bonus].map((part) => {
    const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(part)) ?? [];
    if (whole === undefined) throw new CheckFailure(`cash or bonus is ${part} instead of a decimal`);
    if (/[^0]/.test(fraction.slice(decimals))) throw new CheckFailure(`${part} has more than ${decimals} decimals`);
    return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  });
  return more.reduce((sum, part) => sum + part, all);
}

async function balance(endpoint: PragmaticEndpoint): Promise<bigint> {
  const answer = await send(endpoint, 'balance', { userId: endpoint.facts.player });
  expectError(answer, '0', 'the balance');
  return moneyIn(answer, endpoint);
}

function expectError({ error }: Answer, wanted: string | readonly string[], what: string): void {
  if (![wanted].flat().includes(error))
    throw new CheckFailure(`${what}: error ${error} instead of ${[wanted].flat().join(' or ')}`);
}

/** Expects that the request changes the balance by `gain`: a bet is below zero. */
async function expectMoved(endpoint: PragmaticEndpoint, gain: bigint, act: () => Promise<unknown>): Promise<void> {
  const before = await balance(endpoint);
  await act();
  const moved = (await balance(endpoint)) - before;
  if (moved !== gain) throw new CheckFailure(`the balance changed by ${moved} instead of ${gain} of the smallest unit`);
}

async function accept(endpoint: PragmaticEndpoint, method: string, params: Params): Promise<Answer> {
  const answer = await send(endpoint, method, params);
  expectError(answer, '0', method);
  return answer;
}

/** It certainly moves nothing, and no other attempt is a success. */
const REFUSALS = ['1', '2', '3', '4', '5', '6', '7', '8', '50', '120'];

export const rules: readonly Rule<PragmaticSettings>[] = [
  rule('authenticate.player', 'authenticate.html names the player, the currency, cash and bonus.', async (endpoint) => {
    const { token, player, currency } = endpoint.facts;
    const answer = await accept(endpoint, 'authenticate', { token });
    if (answer.userId !== player || answer.currency !== currency)
      throw new CheckFailure(`it names ${answer.userId} and ${answer.currency}`);
    moneyIn(answer, endpoint);
  }),
  rule('authenticate.unknown', 'An unknown token is error 4.', async (endpoint) => {
    expectError(await send(endpoint, 'authenticate', { token: randomUUID() }), '4', 'an unknown token');
  }),
  rule('authenticate.expired', 'An expired token is error 4.', async (endpoint) => {
    const token = expiredTokenOf(endpoint);
    expectError(await send(endpoint, 'authenticate', { token }), '4', 'an expired token');
  }),
  rule('hash.wrong', 'A wrong hash is error 5, and moves nothing.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const answer = await send(endpoint, 'bet', { ...betOf(endpoint), hash: '0'.repeat(32) });
      expectError(answer, '5', 'a wrong hash');
    }),
  ),
  rule('hash.changed', 'A changed amount does not fit the hash: error 5.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const params = betOf(endpoint);
      const hash = hashOf({ ...params, providerId: endpoint.settings.providerId }, endpoint.settings.secret);
      expectError(await send(endpoint, 'bet', { ...params, amount: '0.01', hash }), '5', 'a changed amount');
    }),
  ),
  rule('provider.other', 'A request of another provider is refused.', async (endpoint) => {
    const params = { userId: endpoint.facts.player, providerId: 'nobody' };
    expectError(await send(endpoint, 'balance', params), REFUSALS, 'another provider');
  }),
  rule('player.unknown', 'An unknown player is error 2.', async (endpoint) => {
    expectError(await send(endpoint, 'balance', { userId: randomUUID() }), ['2', '4'], 'an unknown player');
  }),
  rule('bet.takes', 'A bet takes its amount, and tells what is left.', (endpoint) =>
    expectMoved(endpoint, -endpoint.facts.bet, async () => {
      const answer = await accept(endpoint, 'bet', betOf(endpoint));
      const left = moneyIn(answer, endpoint);
      if (left !== (await balance(endpoint))) throw new CheckFailure('bet and balance tell different amounts');
    }),
  ),
  rule('bet.again', 'The same bet again is a success, and takes nothing more.', (endpoint) =>
    expectMoved(endpoint, -endpoint.facts.bet, async () => {
      const params = betOf(endpoint);
      await accept(endpoint, 'bet', params);
      await accept(endpoint, 'bet', params);
    }),
  ),
  rule('bet.other-content', 'A known reference with another round is no other bet: it is refused.', (endpoint) =>
    expectMoved(endpoint, -endpoint.facts.bet, async () => {
      const params = betOf(endpoint);
      await accept(endpoint, 'bet', params);
      const other = await send(endpoint, 'bet', { ...params, roundId: String(randomInt(1, 2 ** 47)) });
      expectError(other, REFUSALS, 'a known reference with another round');
    }),
  ),
  rule('bet.low-balance', 'A bet above the balance is error 1, and takes nothing.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const all = await balance(endpoint);
      const amount = textOf(all + 1n, decimalsOf(endpoint.facts.currency));
      expectError(await send(endpoint, 'bet', { ...betOf(endpoint), amount }), '1', 'a bet above the balance');
    }),
  ),
  rule('bet.fraction', 'An amount with too many decimals is refused, and never rounded.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const answer = await send(endpoint, 'bet', { ...betOf(endpoint), amount: '0.010001' });
      expectError(answer, REFUSALS, 'an amount of 0.010001');
    }),
  ),
  rule('result.pays', 'A result pays its amount, and tells what is there.', async (endpoint) => {
    const placed = betOf(endpoint);
    await accept(endpoint, 'bet', placed);
    await expectMoved(endpoint, endpoint.facts.bet, async () => {
      moneyIn(await accept(endpoint, 'result', winOf(placed)), endpoint);
    });
  }),
  rule('result.again', 'The same result again is a success, and pays nothing more.', async (endpoint) => {
    const placed = betOf(endpoint);
    const won = winOf(placed);
    await accept(endpoint, 'bet', placed);
    await expectMoved(endpoint, endpoint.facts.bet, async () => {
      await accept(endpoint, 'result', won);
      await accept(endpoint, 'result', won);
    });
  }),
  rule('result.again-after-end', 'The same result after the end of its round is a success.', async (endpoint) => {
    const placed = betOf(endpoint);
    const won = winOf(placed);
    await accept(endpoint, 'bet', placed);
    await accept(endpoint, 'result', won);
    await accept(endpoint, 'endRound', roundOf(placed));
    await expectMoved(endpoint, 0n, () => accept(endpoint, 'result', won));
  }),
  rule('result.without-bet', 'A result without a bet pays nothing.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const answer = await send(endpoint, 'result', winOf(betOf(endpoint)));
      expectError(answer, [...REFUSALS, '100'], 'a result without a bet');
    }),
  ),
  rule('end.again', 'The end of a round can be repeated, and moves nothing.', async (endpoint) => {
    const placed = betOf(endpoint);
    await accept(endpoint, 'bet', placed);
    await expectMoved(endpoint, 0n, async () => {
      await accept(endpoint, 'endRound', roundOf(placed));
      await accept(endpoint, 'endRound', roundOf(placed));
    });
  }),
  rule('end.closes', 'An ended round takes no other bet.', async (endpoint) => {
    const placed = betOf(endpoint);
    await accept(endpoint, 'bet', placed);
    await accept(endpoint, 'endRound', roundOf(placed));
    const late = { ...placed, reference: newReference() };
    expectError(await send(endpoint, 'bet', late), REFUSALS, 'a bet in an ended round');
  }),
  rule('refund.returns', 'A refund returns its bet once, however often it is sent.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const placed = betOf(endpoint);
      await accept(endpoint, 'bet', placed);
      await accept(endpoint, 'refund', refundOf(placed));
      await accept(endpoint, 'refund', refundOf(placed));
    }),
  ),
  rule('refund.unknown', 'The refund of an unknown bet is a success, and moves nothing.', (endpoint) =>
    expectMoved(endpoint, 0n, () => accept(endpoint, 'refund', refundOf(betOf(endpoint)))),
  ),
  rule('refund.before-bet', 'A bet that comes after its refund takes nothing.', (endpoint) =>
    expectMoved(endpoint, 0n, async () => {
      const late = betOf(endpoint);
      await accept(endpoint, 'refund', refundOf(late));
      expectError(await send(endpoint, 'bet', late), REFUSALS, 'a bet after its refund');
    }),
  ),
];
