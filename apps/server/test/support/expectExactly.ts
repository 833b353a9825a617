import { expect } from 'vitest';
import type { CheckedServer } from './checkedServer.ts';
import type { ExactRefusal } from './exactRefusals.ts';
import type { Call } from './snapshot.ts';
import type { Answer } from './testServer.ts';
import { wholeState } from './wholeState.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Status, body and request id of a refusal, to the letter. */
export function expectAnswer(answer: Pick<Answer, 'status' | 'body' | 'headers'>, refusal: ExactRefusal): void {
  expect({ status: answer.status, body: answer.body }).toEqual(refusal);
  expect(answer.headers.get('x-request-id')).toMatch(UUID);
}

/** Does the work and finds that not one row of anybody's money, rounds or sessions is different for it. */
export async function expectNothingChanged<Value>(
  server: Pick<CheckedServer, 'db'>,
  work: () => Promise<Value>,
): Promise<Value> {
  const before = await wholeState(server);
  const value = await work();
  expect(await wholeState(server)).toEqual(before);
  return value;
}

/** The call is refused with exactly this, and nothing has changed for it. */
export async function expectRefusedExactly(
  server: Pick<CheckedServer, 'db' | 'post'>,
  { path, body, headers = {} }: Call,
  refusal: ExactRefusal,
): Promise<void> {
  expectAnswer(await expectNothingChanged(server, () => server.post(path, body, headers)), refusal);
}

const PINO_ERROR = 50;

/** Whatever came in, the server has not called it its own fault. */
export function expectNoErrorLogged({ logLines }: Pick<CheckedServer, 'logLines'>): void {
  expect(logLines.filter((line) => JSON.parse(line).level >= PINO_ERROR)).toEqual([]);
}
