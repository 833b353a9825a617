import { randomUUID } from 'node:crypto';
import type { CloseRoundsResponse, Closing } from '@roundhouse/contract';
import type { AnyResult } from '@roundhouse/dialects';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import { createClosings } from './closings.ts';
import type { WalletClient } from './walletClient.ts';
import type { StoredResult } from './walletResult.ts';

const MOST = 200;
const GATHER_MS = 500;
const LACKING_MS = 300_000;
const LACKING = { kind: 'lacking', httpStatus: 404 } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const operatorOf = (operatorID: number, url = 'http://a'): WalletOperator => {
  const settings = { defaultGame: undefined, launchedOnly: false, isDisabled: false };
  const dialect = { dialect: 'roundhouse', dialectSettings: {}, closingDebits: false, keepsTokens: false };
  return { operatorID, code: `${operatorID}`, url, secrets: ['secret'], timeoutMs: 1_000, ...settings, ...dialect };
};
const [ACME, OTHER] = [operatorOf(1), operatorOf(2)];

const closing = (playerID = 'ann'): Closing => {
  const ids = { transactionID: randomUUID(), debitTransactionID: randomUUID() };
  return { ...ids, roundID: '1', playerID, gameID: 'g', currency: 'USD' };
};

/** The wallet accepts groups of closings, or responds otherwise. */
function world(respond: (rounds: readonly Closing[]) => AnyResult<'closeRounds'> = accept) {
  const requests: { operator: WalletOperator; name: string; rounds: Closing[] }[] = [];
  const settled = new Map<string, StoredResult>();
  const errors: string[] = [];
  const send = async (operator: WalletOperator, name: string, body: { rounds: Closing[] } & Closing) => {
    const rounds = name === 'closeRounds' ? body.rounds : [body];
    requests.push({ operator, name, rounds });
    return name === 'closeRounds' ? respond(rounds) : { kind: 'accepted', httpStatus: 200, body: { balance: 5 } };
  };
  const closings = createClosings({
    client: { send: send as unknown as WalletClient['send'] },
    ledger: {
      async settleClosing({ transactionID, ...result }) {
        if (result.httpStatus === 418) throw new Error('gone');
        settled.set(transactionID, result);
        return { late: false };
      },
    },
    failpoint: () => {},
    onError: (error, transactionID) => errors.push(`${transactionID}: ${error}`),
  });
  const add = (count: number, operator = ACME, playerID?: string) =>
    Array.from({ length: count }, () => {
      const each = closing(playerID);
      closings.add(operator, each);
      return each.transactionID;
    });
  const sizes = () => requests.map(({ name, rounds }) => [name, rounds.length]);
  return { closings, add, requests, sizes, settled, errors };
}

function accept(rounds: readonly Closing[]): AnyResult<'closeRounds'> {
  const results = rounds.map(({ transactionID }) => ({ transactionID }));
  return { kind: 'accepted', httpStatus: 200, body: { results } };
}

it('a group waits half a second for more, or until it is full; each operator has its own', async () => {
  const { add, sizes, requests, settled } = world();
  const ids = [...add(2), ...add(1, OTHER), ...add(1)];
  await vi.advanceTimersByTimeAsync(GATHER_MS - 1);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([
    ['closeRounds', 3],
    ['closeRounds', 1],
  ]);
  expect(requests.map(({ operator }) => operator)).toEqual([ACME, OTHER]);
  expect([...settled.keys()].sort()).toEqual(ids.sort());
  add(2 * MOST + 1);
  expect(sizes().slice(2)).toEqual(Array(2).fill(['closeRounds', MOST]));
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(sizes()[4]).toEqual(['closeRounds', 1]);
});

it('no request is longer than 128 KiB, whatever the players are called', async () => {
  const { add, closings, requests } = world();
  add(3 * MOST, ACME, '\u{1f0cf}'.repeat(64));
  await closings.idle();
  const bytes = requests.map(({ rounds }) => Buffer.byteLength(JSON.stringify({ rounds })));
  expect(Math.max(...bytes)).toBeLessThanOrEqual(128 * 1024);
  expect(requests.flatMap(({ rounds }) => rounds)).toHaveLength(3 * MOST);
});

it('idle sends what waits, and resolves when it is settled', async () => {
  const { add, closings, settled } = world();
  const ids = add(3);
  await closings.idle();
  expect([...settled.keys()].sort()).toEqual(ids.sort());
});

it('a closing is accepted when the wallet says so and nowhere says anything else', async () => {
  const { add, closings, settled } = world(([first, second, third, fourth]) => {
    const results: CloseRoundsResponse['results'] = [
      { transactionID: fourth?.transactionID ?? '', error: 'ERR_BNF', message: 'no such bet' },
      { transactionID: randomUUID(), error: 'ERR_GE' },
      { transactionID: second?.transactionID ?? '' },
      { transactionID: first?.transactionID.toUpperCase() ?? '' },
      { transactionID: second?.transactionID ?? '', error: 'ERR_UE' },
      { transactionID: fourth?.transactionID ?? '' },
    ];
    void third;
    return { kind: 'accepted', httpStatus: 200, body: { results } };
  });
  const [first = '', second = '', third = '', fourth = ''] = add(4).sort();
  await closings.idle();
  expect(Object.fromEntries(settled)).toEqual({
    [first]: { resultCode: 'accepted', httpStatus: 200 },
    [second]: { resultCode: 'ERR_UE', httpStatus: 200 },
    [third]: { resultCode: 'invalid_response', httpStatus: 200, resultDetail: 'no result for this closing' },
    [fourth]: { resultCode: 'ERR_BNF', httpStatus: 200, resultDetail: 'no such bet' },
  });
});

it('a request without a success is the result of each closing', async () => {
  const { add, closings, settled } = world(() => ({ kind: 'not_sent', detail: 'no turn' }));
  add(2);
  await closings.idle();
  expect([...settled.values()]).toEqual(Array(2).fill({ resultCode: 'not_sent', resultDetail: 'not sent: no turn' }));
});

it('after a 404 closings are sent alone and at once, for five minutes or until the wallet has another URL', async () => {
  const { add, closings, sizes, requests, settled } = world(() => LACKING);
  add(2);
  await closings.idle();
  const [group, alone] = [
    ['closeRounds', 2],
    ['credit', 1],
  ] as const;
  expect(sizes()).toEqual([group, alone, alone]);
  expect(requests[1]?.rounds[0]).toMatchObject({ amount: 0, roundClosed: true });
  expect([...settled.values()]).toEqual(Array(2).fill({ resultCode: 'accepted', httpStatus: 200 }));
  add(1);
  expect(sizes()).toEqual([group, alone, alone, alone]);
  // Other operators still get the request.
  add(1, OTHER);
  await closings.idle();
  expect(sizes().slice(4)).toEqual([['closeRounds', 1], alone]);
  add(1, operatorOf(1, 'http://b'));
  await closings.idle();
  expect(sizes().slice(6)).toEqual([['closeRounds', 1], alone]);
  await vi.advanceTimersByTimeAsync(LACKING_MS - 1);
  add(1, operatorOf(1, 'http://b'));
  expect(sizes().slice(8)).toEqual([alone]);
  await vi.advanceTimersByTimeAsync(1);
  add(1, operatorOf(1, 'http://b'));
  await closings.idle();
  expect(sizes().slice(9)).toEqual([['closeRounds', 1], alone]);
});

it('what cannot be stored is reported, each closing by its id', async () => {
  const { add, closings, errors } = world(() => ({ kind: 'uncertain', code: 'invalid_response', httpStatus: 418 }));
  const ids = add(2);
  await closings.idle();
  expect(errors.sort()).toEqual(ids.map((id) => `${id}: Error: gone`).sort());
});
