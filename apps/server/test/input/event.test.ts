import { describe, expect, test } from 'vitest';
import { useCheckedServer } from '../support/checkedServer.ts';
import {
  EVENT_LENGTH,
  EVENT_NOT_STORABLE,
  type ExactRefusal,
  NEVER_PLAYED,
  NO_ACTIVE_ROUND,
  wrongType,
} from '../support/exactRefusals.ts';
import { expectRefusedExactly } from '../support/expectExactly.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { useGoodCalls } from '../support/goodCalls.ts';

const server = useCheckedServer();
const calls = useGoodCalls(server);

const notText = (received: string) => wrongType('event', 'string', received);

describe('the event', () => {
  test.each<[string, unknown, ExactRefusal]>([
    ['missing', undefined, notText('undefined')],
    ['null', null, notText('null')],
    ['a number', 1, notText('number')],
    ['an array', ['picked:1'], notText('array')],
    ['an object', { picked: 1 }, notText('object')],
    ['of 0 characters', '', EVENT_LENGTH],
    ['of 1025 characters', 'e'.repeat(1025), EVENT_LENGTH],
    ['of 1025 characters beyond U+FFFF', '🎰'.repeat(1025), EVENT_LENGTH],
    ['of 10,000 characters', 'e'.repeat(10_000), EVENT_LENGTH],
    ['U+0000', '\u0000', EVENT_NOT_STORABLE],
    ['with U+0000 inside', 'picked\u0000:1', EVENT_NOT_STORABLE],
    ['the first half of a surrogate pair', 'picked:\ud83c', EVENT_NOT_STORABLE],
    ['the second half of a surrogate pair', '\udfb0picked', EVENT_NOT_STORABLE],
    ['the halves the wrong way round', '\udfb0\ud83c', EVENT_NOT_STORABLE],
  ])('%s', async (_what, event, refusal) => {
    const { path, body } = calls.event;
    await expectRefusedExactly(server, { path, body: { ...body, event } }, refusal);
  });

  test.each([
    ['1 character', 'e'],
    ['1024 characters', 'e'.repeat(1024)],
    ['1024 characters beyond U+FFFF', '🎰'.repeat(1024)],
    ['1024 characters, some beyond U+FFFF', '漢🎰'.repeat(512)],
    ['a space', ' '],
    ['control characters', '\u0001\u001f\u007f\u0085\u2028'],
    ['what looks like SQL', "'); DROP TABLE rounds; --"],
    ['what looks like an array of PostgreSQL', '{"a","b",NULL}'],
    ['the text NULL', 'NULL'],
    ['a backslash and quotes', '\\"\\\\\''],
    ['characters that normalization would change', 'e\u0301 \u212b \ufb01'],
    ['a byte order mark', '\ufeff'],
    ['the last character there is', '\u{10ffff}'],
  ])('of %s is recorded and comes back as it was sent', async (_what, event) => {
    const { sessionID } = calls.event.body;
    const { status, body } = await server.post('/bet/event', { sessionID, event });
    expect([status, body]).toEqual([200, { event }]);
    const { round } = (await server.post('/wallet/authenticate', { sessionID })).body;
    expect(round.event).toBe(event);
  });
});

describe('without a round', () => {
  test('event of a player who never played, and end-round', async () => {
    const sessionID = await server.liveSession();
    await expectRefusedExactly(server, { path: '/bet/event', body: { sessionID, event: 'e' } }, NO_ACTIVE_ROUND);
    await expectRefusedExactly(server, { path: '/wallet/end-round', body: { sessionID } }, NEVER_PLAYED);
  });

  test('event after the round', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays150);
    await server.post('/wallet/end-round', { sessionID });
    await expectRefusedExactly(server, { path: '/bet/event', body: { sessionID, event: 'e' } }, NO_ACTIVE_ROUND);
  });

  test('event after a round that play has closed', async () => {
    const sessionID = await server.liveSession();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await expectRefusedExactly(server, { path: '/bet/event', body: { sessionID, event: 'e' } }, NO_ACTIVE_ROUND);
  });
});
