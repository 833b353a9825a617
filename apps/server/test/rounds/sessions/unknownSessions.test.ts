import { Overload } from '@roundhouse/service';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createErrorLog } from '../../../src/base/http/errors.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { createAddressLimit } from '../../../src/rounds/sessions/addressLimit.ts';
import { createSessionDirectory } from '../../../src/rounds/sessions/sessionDirectory.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { createHouseWallet } from '../../../src/rounds/wallets/houseWallet.ts';
import { createLookUps, type LookUps } from '../../../src/store/rounds/lookUps.ts';
import { gate } from '../../support/gate.ts';
import { useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

it('unknown sessions, however many, use no connection of the players', async () => {
  let used = 0;
  const onAcquire = () => {
    used += 1;
  };
  server.db.pool.on('acquire', onAcquire);
  const unknown = Array.from({ length: 200 }, (_, index) => `made up ${index}`);
  const responses = await Promise.all(
    unknown.flatMap((each) => [server.authenticate(each), server.play(`${each} too`)]),
  );
  server.db.pool.off('acquire', onAcquire);
  for (const { body } of responses) expect(body.error).toBe('ERR_IS');
  expect(used).toBe(0);
});

it('a player gets a response while every connection for unknown sessions is taken', async () => {
  const sessionID = await server.liveSession();
  const taken = await Promise.all([server.db.anonymous.connect(), server.db.anonymous.connect()]);
  const waiting = [1, 2, 3].map((number) => server.authenticate(`kept waiting ${number}`));
  expect((await server.play(sessionID)).status).toBe(200);
  for (const client of taken) client.release();
  for (const { body } of await Promise.all(waiting)) expect(body.error).toBe('ERR_IS');
});

it('equal look-ups run once, and an unknown session is remembered for a while, but not when it was issued', async () => {
  const lookUps = createLookUps(server.db);
  const house = createHouseWallet(createLedger(server.db));
  const wallets = { house, seamless: house };
  let count = 0;
  let mayRespond = Promise.resolve();
  const session: LookUps['session'] = async (lookUp) => {
    count += 1;
    const found = await lookUps.session(lookUp);
    await mayRespond;
    return found;
  };
  const here = createSessionDirectory({ ...lookUps, session }, wallets);
  const elsewhere = createSessionDirectory(lookUps, wallets);
  const sessionID = 'issued a moment later';
  const lookUp = async (times: number) => {
    const found = await Promise.all(Array.from({ length: times }, () => here.lookUp(sessionID)));
    return { kinds: [...new Set(found.map(({ kind }) => kind))], count };
  };
  expect(await lookUp(10)).toEqual({ kinds: ['unknown'], count: 1 });
  expect(await elsewhere.find(sessionID)).toBeUndefined();

  // The node does not remember a look-up that began before the session was issued.
  here.issued(sessionID);
  const { opened, open } = gate();
  mayRespond = opened;
  const tooEarly = here.lookUp(sessionID);
  await expect.poll(() => count).toBe(2);
  const issued = await server.newSession();
  await server.db
    .$executeRaw`UPDATE sessions SET token_sha256 = ${sha256Of(sessionID)} WHERE token_sha256 = ${sha256Of(issued)}`;
  here.issued(sessionID);
  open();
  expect((await tooEarly).kind).toBe('unknown');
  expect(await lookUp(2)).toEqual({ kinds: ['session'], count: 3 });
  expect(await lookUp(1)).toEqual({ kinds: ['session'], count: 3 });
  await expect.poll(() => elsewhere.find(sessionID)).toBeDefined();
});

it('unknown sessions are counted by address, and an IPv6 network is one', async () => {
  const limit = createAddressLimit('unknown sessions', 2);
  const admitted = async (address: string) =>
    limit.admit(address).then(
      () => true,
      (error: unknown) => !(error instanceof Overload),
    );
  for (const [one, other] of [
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2'],
  ] as const)
    expect([await admitted(one), await admitted(other), await admitted(one)]).toEqual([true, true, false]);
  expect([await admitted('192.0.2.2'), await admitted('2001:db8:0:1::1')]).toEqual([true, true]);
});

it('an error of a thousand requests at once is in the log once', () => {
  const lines: string[] = [];
  const logError = createErrorLog(pino({}, { write: (line: string) => void lines.push(line) }));
  for (let time = 0; time < 1_000; time += 1) logError({ err: new Error('no connection') }, 'request failed');
  logError({ err: new Error('another') }, 'request failed');
  expect(lines).toHaveLength(2);
});
