import { describe, expect, test } from 'vitest';
import { sessionInRound, UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { type ExactRefusal, invalid, NO_SESSION, SESSION_ID_LENGTH, wrongType } from '../support/exactRefusals.ts';
import { expectRefusedExactly } from '../support/expectExactly.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { ENDPOINT_NAMES, useGoodCalls } from '../support/goodCalls.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const notText = (received: string) => wrongType('sessionID', 'string', received);

describe.each(ENDPOINT_NAMES)('the sessionID, at %s', (name) => {
  test.each<[string, unknown, ExactRefusal]>([
    ['missing', undefined, notText('undefined')],
    ['null', null, notText('null')],
    ['a number', 12_345, notText('number')],
    ['true', true, notText('boolean')],
    ['an array of the text', ['live'], notText('array')],
    ['an object', { id: 'live' }, notText('object')],
    ['empty', '', SESSION_ID_LENGTH],
    ['of 257 characters', 's'.repeat(257), SESSION_ID_LENGTH],
    ['of 300 characters', 's'.repeat(300), SESSION_ID_LENGTH],
    ['of 257 characters beyond U+FFFF', '🎰'.repeat(257), SESSION_ID_LENGTH],
    ['of 1 character that nobody issued', 's', NO_SESSION],
    ['of 256 characters that nobody issued', 's'.repeat(256), NO_SESSION],
    ['of 256 characters beyond U+FFFF', '🎰'.repeat(256), NO_SESSION],
    ['U+0000', '\u0000', NO_SESSION],
    ['half a surrogate pair', '\ud800', invalid('sessionID: must not hold half a surrogate pair')],
    ['a space', ' ', NO_SESSION],
    ['a pattern', '%', NO_SESSION],
    ['SQL', "' OR '1'='1", NO_SESSION],
    ['__proto__', '__proto__', NO_SESSION],
  ])('%s', async (_what, sessionID, refusal) => {
    const { path, body } = calls[name];
    await expectRefusedExactly(server, { path, body: { ...body, sessionID } }, refusal);
  });

  test('almost one that was issued', async () => {
    const { path, body } = calls[name];
    const issued = body.sessionID;
    const swapped = issued.replace(/[a-z]/i, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    );
    for (const sessionID of [`${issued} `, ` ${issued}`, `${issued}\u0000`, issued.slice(0, -1), swapped]) {
      await expectRefusedExactly(server, { path, body: { ...body, sessionID } }, NO_SESSION);
    }
  });
});

describe('calls before authenticate', () => {
  test.each(ENDPOINT_NAMES.filter((name) => name !== 'authenticate'))('%s, of a player who is new', async (name) => {
    const sessionID = await server.newSession();
    const { path, body } = calls[name];
    await expectRefusedExactly(server, { path, body: { ...body, sessionID } }, NO_SESSION);
  });

  test.each(ENDPOINT_NAMES.filter((name) => name !== 'authenticate'))(
    '%s, of a player whose other session has a round',
    async (name) => {
      const token = `other-${name}`;
      const live = await server.liveSession({ token });
      await server.playBook(live, BOOK.pays150);
      const sessionID = await server.newSession({ token });
      const { path, body } = calls[name];
      await expectRefusedExactly(server, { path, body: { ...body, sessionID } }, NO_SESSION);
    },
  );

  test('a bet that is wrong besides is answered as the session is', async () => {
    const sessionID = await server.newSession();
    for (const bet of [
      { amount: UNIT, mode: 'NONE' },
      { amount: 1, mode: 'BASE' },
      { amount: 100 * UNIT, mode: 'BONUS' },
    ]) {
      await expectRefusedExactly(server, { path: '/wallet/play', body: { sessionID, ...bet } }, NO_SESSION);
    }
  });
});

test('a request id of the caller comes back when it is a sound one, and is replaced when it is not', async () => {
  const sessionID = await sessionInRound(server);
  const idFor = async (given: string) => {
    const { headers } = await server.post('/wallet/balance', { sessionID }, { 'X-Request-Id': given });
    return headers.get('x-request-id');
  };
  expect(await idFor('spin-1.a_B')).toBe('spin-1.a_B');
  for (const unsound of ['', 'two words', 'x'.repeat(65), '<script>', '"', 'é', 'a,b']) {
    expect(await idFor(unsound)).toMatch(/^[\da-f-]{36}$/);
  }
});
