import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/store/database/migrate.ts';
import { runRoundhouse } from '../../support/roundhouse.ts';
import { startPair } from './pair.ts';

let pair: Awaited<ReturnType<typeof startPair>>;

beforeAll(async () => {
  pair = await startPair();
  await migrate({ url: pair.url });
});
afterAll(() => pair.close());

/** Returns what the status says of the database: no node runs. */
async function statusOf(database: string) {
  const { stdout } = await runRoundhouse(['status', '--json', '--database', database], { env: {} });
  const { findings, ...status } = JSON.parse(stdout);
  const ids = findings.map(({ id }: { id: string }) => id).filter((id: string) => id !== 'node-away');
  return { ...status, ids };
}

/** Returns the address of one of the two hosts. */
function hostOf(index: number): string {
  const [scheme = '', user = '', hosts = '', rest = ''] = /^(\w+:\/\/)(.*@)([^/]*)(.*)$/.exec(pair.url)?.slice(1) ?? [];
  return `${scheme}${user}${hosts.split(',')[index]}${rest}`;
}

it('shows a synchronous standby with its lag, and nothing is wrong', async () => {
  const { ids, database } = await statusOf(pair.url);
  expect(ids).toEqual([]);
  expect(database).toMatchObject({ issue: null, isStandby: false, synchronousNames: '*', maySee: true });
  expect(database.standbys).toMatchObject([{ state: 'streaming', syncState: 'sync', lagBytes: expect.any(String) }]);
});

it('reads a standby, and says that it takes no writes', async () => {
  await expect.poll(async () => (await statusOf(hostOf(1))).database.lacks).toEqual([]);
  const { ids, database, stored } = await statusOf(hostOf(1));
  expect(ids).toEqual(['standby']);
  expect(database).toMatchObject({ isStandby: true, behindSeconds: expect.any(Number), standbys: [] });
  expect(stored).toMatchObject({ unsettled: [] });
});

it('finds that no standby confirms commits any more', async () => {
  await pair.promote();
  await pair.run("ALTER SYSTEM SET synchronous_standby_names = 'db9'");
  await pair.run('SELECT pg_reload_conf()');
  await expect.poll(async () => (await statusOf(pair.url)).ids).toEqual(['no-synchronous-standby']);
});
