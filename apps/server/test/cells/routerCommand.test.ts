import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OPERATOR_HEADER } from '@roundhouse/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Roundhouse, runRoundhouse, spawnRoundhouse, stop, temporaryFolder } from '../support/roundhouse.ts';
import { type FakeCell, startFakeCell } from './fakeCell.ts';

let cells: FakeCell[];
let file: string;
let router: Roundhouse & { url: string };

beforeAll(async () => {
  cells = [await startFakeCell(1), await startFakeCell(2)];
  file = path.join(await temporaryFolder('fleet'), 'fleet.yaml');
});
afterAll(() => Promise.all(cells.map((cell) => cell.close())));

/** Writes the fleet file. The router has no password of a database, so it must not look for one. */
async function writeFleet(version: number, names: readonly string[], more: object = {}): Promise<void> {
  const all = cells.map(({ id, name, url }) => ({ name, numbers: [id], url, databaseUrl: 'env:NO_SUCH_VARIABLE' }));
  const placements = names.map((name) => ({ operators: [`of-${name}`], cells: [name] }));
  await writeFile(file, stringify({ version, cells: all, placements, ...more }));
}

async function startRoute(args: readonly string[] = []): Promise<Roundhouse & { url: string }> {
  const roundhouse = spawnRoundhouse(['route', '--fleet', file, '--port', '0', ...args]);
  const [, url = ''] = await roundhouse.waitFor(/"url":"([^"]+)".*"msg":"routing"/);
  return { ...roundhouse, url };
}

const cellFor = async (url: string, operator: string) => {
  const response = await fetch(`${url}/operator/games`, { headers: { [OPERATOR_HEADER]: operator } });
  return [response.status, response.headers.get('roundhouse-cell'), response.headers.get('roundhouse-fleet')];
};

it('roundhouse route serves, and reads the fleet file again at SIGHUP', async () => {
  await writeFleet(1, ['eu-1']);
  router = await startRoute();
  expect(await cellFor(router.url, 'of-eu-1')).toEqual([200, '1', '1']);
  // It is of no cell yet, so any cell refuses it, or would.
  expect(await cellFor(router.url, 'of-eu-2')).toEqual([200, '1', '1']);

  await writeFleet(2, ['eu-1', 'eu-2']);
  router.kill('SIGHUP');
  await router.waitFor(/"msg":"the fleet file is read again"/);
  expect(await cellFor(router.url, 'of-eu-2')).toEqual([200, '2', '2']);

  // A placement is gone, and the version is not a higher one.
  await writeFleet(2, ['eu-2']);
  router.kill('SIGHUP');
  const [line] = await router.waitFor(/.*"msg":"the fleet file is refused; the one before it stays"/);
  expect(JSON.parse(`${line}}`)).toMatchObject({
    fleetVersion: 2,
    issues: ['1: version', '14: placements.0', '14: placements.1'].map((start) =>
      expect.stringContaining(`fleet.yaml:${start}: `),
    ),
  });
  expect(await cellFor(router.url, 'of-eu-1')).toEqual([200, '1', '2']);
  const metrics = await (await fetch(`${router.url}/metrics`)).text();
  expect(metrics).toContain('roundhouse_router_fleet_version 2');
  expect(metrics).toContain('roundhouse_router_reloads_total{result="taken"} 1');
  expect(metrics).toContain('roundhouse_router_reloads_total{result="refused"} 1');
});

it('a router starts while its cells are away, and two routers name the fleet of each', async () => {
  await writeFleet(5, ['eu-1'], {
    cells: [{ name: 'eu-1', numbers: [1], url: 'http://127.0.0.1:1', databaseUrl: 'env:NO_SUCH_VARIABLE' }],
  });
  const other = await startRoute();
  expect(await cellFor(router.url, 'of-eu-1')).toEqual([200, '1', '2']);
  expect(await cellFor(other.url, 'of-eu-1')).toEqual([500, null, '5']);
  await other.waitFor(/"route":"\/operator\/games","status":500,"error":"ERR_GEN"/);
  await Promise.all([stop(router), stop(other)]);
});

it.each<[string, readonly string[], RegExp]>([
  ['no fleet file', [], /^No fleet: set ROUNDHOUSE_FLEET/],
  [
    'a fleet file that is not there',
    ['--fleet', '/nowhere/fleet.yaml'],
    /\/nowhere\/fleet\.yaml cannot be read: ENOENT/,
  ],
])('without %s it does not start', async (_what, args, message) => {
  const { code, stderr } = await runRoundhouse(['route', ...args]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});

it('a wrong fleet file is refused with its lines', async () => {
  await writeFleet(1, ['eu-1', 'eu-9']);
  const { code, stderr } = await runRoundhouse(['route', '--fleet', file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/fleet\.yaml:\d+: placements\.1\.cells\.0: there is no cell eu-9/);
});
