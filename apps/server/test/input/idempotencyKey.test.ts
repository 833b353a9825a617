import { describe, expect, test } from 'vitest';
import { OPENING, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { KEY_LENGTH, KEY_REUSED, ROUND_ACTIVE } from '../support/exactRefusals.ts';
import { expectAnswer, expectNothingChanged, expectRefusedExactly } from '../support/expectExactly.ts';
import { useGoodCalls } from '../support/goodCalls.ts';
import { exchangeRaw, parseRaw, rawHead } from '../support/rawHttp.ts';
import type { Answer } from '../support/testServer.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

/** With the header's bytes as they are given here, which fetch would not send. */
async function playRaw(sessionID: string, keys: readonly string[]): Promise<Answer> {
  const body = JSON.stringify({ sessionID, amount: UNIT, mode: 'BASE' });
  const head = rawHead('/wallet/play', { 'Content-Length': body.length });
  const lines = keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('');
  return parseRaw(await exchangeRaw(server.url, Buffer.from(head.replace(/\r\n$/, `${lines}\r\n${body}`), 'utf8')));
}

describe('an Idempotency-Key', () => {
  test.each([
    ['empty', ''],
    ['of spaces only', '   '],
    ['of 129 characters', 'k'.repeat(129)],
    ['of 8,000 characters', 'k'.repeat(8_000)],
  ])('%s', async (_what, key) => {
    const { path, body } = calls.play;
    await expectRefusedExactly(server, { path, body, headers: { 'Idempotency-Key': key } }, KEY_LENGTH);
  });

  test('given twice counts as one text of both', async () => {
    const answer = await expectNothingChanged(server, () =>
      playRaw(calls.play.body.sessionID, ['a'.repeat(64), 'b'.repeat(64)]),
    );
    expectAnswer(answer, KEY_LENGTH);
  });

  test.each([
    ['of 1 character', 'k'],
    ['of 128 characters', 'k'.repeat(128)],
    ['in UTF-8', 'clé-漢-🎰'],
    ['of a byte that no UTF-8 has', '\u00ff'],
    ['of punctuation', '"\\;,=\'`{}[]<>|~'],
    ['__proto__', '__proto__'],
    ['of a tab', 'a\tb'],
  ])('%s is good for one round', async (_what, key) => {
    const sessionID = await server.liveSession();
    const first = await playRaw(sessionID, [key]);
    expect([first.status, first.body.balance?.amount]).toEqual([200, OPENING - UNIT]);
    const again = await expectNothingChangedButActivity(() => playRaw(sessionID, [key]));
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  test('in UTF-8 of 129 bytes is too long: a header has no characters but bytes', async () => {
    const answer = await expectNothingChanged(server, () => playRaw(calls.play.body.sessionID, ['漢'.repeat(43)]));
    expectAnswer(answer, KEY_LENGTH);
  });

  test('that was used for another bet', async () => {
    const sessionID = await server.liveSession();
    const headers = { 'Idempotency-Key': 'first' };
    const bet = { sessionID, amount: UNIT, mode: 'BASE' };
    expect((await server.post('/wallet/play', bet, headers)).status).toBe(200);
    for (const other of [{ amount: 2 * UNIT }, { mode: 'ANTE' }, { mode: 'NONE' }, { amount: 1 }]) {
      await expectRefusedExactly(server, { path: '/wallet/play', body: { ...bet, ...other }, headers }, KEY_REUSED);
    }
  });

  test('that differs in case only is another key', async () => {
    const sessionID = await server.liveSession();
    const body = { sessionID, amount: UNIT, mode: 'BASE' };
    await server.post('/wallet/play', body, { 'Idempotency-Key': 'key' });
    const headers = { 'Idempotency-Key': 'KEY' };
    await expectRefusedExactly(server, { path: '/wallet/play', body, headers }, ROUND_ACTIVE);
  });
});

/** A repeated play is play still: it keeps the session alive, and does nothing else. */
async function expectNothingChangedButActivity(work: () => Promise<Answer>): Promise<Answer> {
  const rounds = async () =>
    (await server.db.$queryRaw`
    SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM transfers), (SELECT sum(balance_micros) FROM accounts)`) as unknown;
  const before = await rounds();
  const answer = await work();
  expect(await rounds()).toEqual(before);
  return answer;
}
