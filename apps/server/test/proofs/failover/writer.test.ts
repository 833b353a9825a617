import { limitsOf } from '@roundhouse/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import { requireSynchronousStandby } from '../../../src/store/database/startChecks.ts';
import { BET, type LedgerPlayer, openPlayers } from '../../support/ledgerPlay.ts';
import { expectBooksBalance } from '../../support/testServer.ts';
import { FAULTS, startPair } from './pair.ts';

let pair: Awaited<ReturnType<typeof startPair>>;
let db: Database;
let ledger: Ledger;
let players: LedgerPlayer[];

beforeAll(async () => {
  pair = await startPair();
  await migrate({ url: pair.url });
  // The outage takes longer than a player waits.
  db = openDatabase({ url: pair.url, limits: { ...limitsOf(), awayMs: 60_000 } });
  ledger = createLedger(db);
  players = await openPlayers(db, 40);
});
afterEach(() => expectBooksBalance(db));
afterAll(async () => {
  await db?.$disconnect();
  await pair?.close();
});

const playAll = () => Promise.all(players.map((player) => ledger.openRound({ ...BET, ...player })));

it('is refused by --require-sync when no standby confirms its commits', async () => {
  await requireSynchronousStandby(db);
  await pair.run("CREATE ROLE limited LOGIN PASSWORD 'x'");
  const ofLimited = openDatabase({ url: pair.url.replace(/(?<=:\/\/)[^@]*/, 'limited:x') });
  await expect(requireSynchronousStandby(ofLimited)).rejects.toThrow('grant it pg_read_all_stats');
  await ofLimited.$disconnect();
  for (const [setting, why] of [
    ["synchronous_standby_names = 'another'", 'no standby of synchronous_standby_names'],
    ["synchronous_standby_names = ''", 'the database has no synchronous standby'],
  ]) {
    await pair.run(`ALTER SYSTEM SET ${setting}`);
    await pair.run('SELECT pg_reload_conf()');
    await expect.poll(() => requireSynchronousStandby(db).catch(({ message }) => message)).toContain(why);
  }
  await pair.waitForStandby();
});

it('never goes back to an earlier primary, which would still take writes', async () => {
  await pair.fail('cut');
  await pair.promote();
  await playAll();
  await pair.wake();
  await pair.fail('cut');
  const playing = playAll();
  await expect.poll(() => db.writer.isKnown).toBe(false);
  await pair.heal();
  expect((await playing).map(({ ok }) => ok)).toEqual(players.map(() => true));
  await pair.rebuild();
});

describe.each(FAULTS)('the primary fails: %s', (fault) => {
  it('every play is one round, told to its player', async () => {
    await playAll();
    const before = await db.round.count();
    let played = 0;
    let isOver = false;
    const playing = players.map(async (player) => {
      while (!isOver) {
        expect(await ledger.openRound({ ...BET, ...player })).toMatchObject({ ok: true, replayed: false });
        played += 1;
      }
    });
    await expect.poll(() => played).toBeGreaterThan(100);
    const changes: (string | undefined)[] = [];
    db.writer.onChange = ({ host, ...change }) =>
      void (host !== undefined && changes.push((change as { kind: string }).kind));
    await pair.fail(fault);
    // The standby alone takes no writes.
    if (fault === 'kill') await expect.poll(() => db.writer.isKnown).toBe(false);
    await pair.promote();
    const atPromotion = played;
    await expect
      .poll(() => played)
      .toBeGreaterThan(atPromotion + 200)
      .finally(() => {
        isOver = true;
      });
    await Promise.all(playing);
    expect(await db.round.count()).toBe(before + played);
    expect(changes).toEqual(['promoted']);
    await pair.rebuild();
  });
});
