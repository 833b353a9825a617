import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCell } from '../../src/store/cells/cell.ts';
import { type Database, openDatabase } from '../../src/store/database/database.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort, runRoundhouse, succeed } from '../support/roundhouse.ts';
import { fleetOfCells, writeFleet } from './writeFleet.ts';

const COUNT = 3;
const databases: TestDatabase[] = [];
const dbs: Database[] = [];
let urls: string[];
let fleet: string;
let awayUrl: string;

beforeAll(async () => {
  for (let at = 0; at < COUNT; at += 1) databases.push(await createTestDatabase());
  urls = databases.map(({ url }) => url);
  dbs.push(...urls.map((url) => openDatabase({ url, connections: 2 })));
  fleet = await writeFleet(fleetOfCells(cells(urls)));
  awayUrl = `postgresql://nobody@127.0.0.1:${await freePort()}/away`;
});
afterAll(async () => {
  for (const db of dbs) await db.$disconnect();
  for (const database of databases) await database.drop();
});

const cells = (all: readonly string[]) => all.map((databaseUrl) => ({ databaseUrl }));
const run = (words: string, options = {}) => runRoundhouse(words.split(' '), options);
const over = (words: string, file = fleet) => runRoundhouse([...words.split(' '), '--fleet', file]);
const stored = () => Promise.all(dbs.map(({ pool }) => findCell(pool)));

/** The same cells, but the last one does not respond. */
const withAway = () => writeFleet(fleetOfCells(cells([...urls.slice(0, -1), awayUrl])));

describe('migrate', () => {
  it('changes no database while one is away', async () => {
    const { code, stdout, stderr } = await over('migrate', await withAway());
    expect(code).toBe(1);
    expect(stdout).toMatch(/^eu-1 +ready\neu-2 +ready\neu-3 +The database cannot be reached \(ECONNREFUSED\)/m);
    expect(stderr).toBe('eu-3 cannot be migrated. Nothing was changed.\n');
    expect(await stored()).toEqual([undefined, undefined, undefined]);
  });

  it('gives no database the numbers of two cells', async () => {
    const [first = '', second = ''] = urls;
    const again = new URL(first);
    again.searchParams.set('application_name', 'another-address');
    const { code, stderr } = await over('migrate', await writeFleet(fleetOfCells(cells([first, second, again.href]))));
    expect([code, stderr]).toEqual([1, 'eu-1 and eu-3 are one database: name it once. Nothing was changed.\n']);
    expect(await stored()).toEqual([undefined, undefined, undefined]);
  });

  it('stores the fleet in each; run again it changes nothing', async () => {
    const first = await succeed(['migrate', '--fleet', fleet]);
    expect(first).toMatch(/^cell +database +fleet +number of new ids\neu-1 +up to date +version 1, stored now +1$/m);
    expect((await stored()).map((cell) => cell?.numbers)).toEqual([[1], [2], [3]]);
    const again = await succeed(['migrate', '--fleet', fleet]);
    expect(again).toMatch(/^eu-3 +up to date +version 1 +3$/m);
    expect(await succeed(['migrate', '--fleet', fleet, '--cell', 'eu-2'])).toBe('The database is up to date.\n');
  });

  it('refuses a fleet that cannot follow the stored one, before it changes a database', async () => {
    const changed = fleetOfCells(cells(urls), { placements: [{ cells: ['eu-2'] }], version: 2 });
    const { code, stdout, stderr } = await over('migrate', await writeFleet(changed));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^eu-1 +Cell eu-1 has version 1 .* placements\.0: an earlier placement has changed/m);
    expect(stderr).toContain('Nothing was changed.');
    expect((await stored()).map((cell) => cell?.fleetVersion)).toEqual([1, 1, 1]);
  });

  it('stores a new fleet in all cells or with --cell in none', async () => {
    const next = await writeFleet(fleetOfCells(cells(urls), { version: 2 }));
    const { code, stderr } = await over('migrate --cell eu-1', next);
    expect([code, stderr]).toEqual([
      1,
      'Cell eu-1 has version 1 of the fleet, the file has version 2: migrate all cells together, without --cell.\n',
    ]);
    expect((await stored()).map((cell) => cell?.fleetVersion)).toEqual([1, 1, 1]);
  });
});

describe('a cell that cannot be read', () => {
  it.each([
    ['books-balance', /^eu-3 +The database cannot be reached.*\n2 of 3 cells +NOT known +\d/m],
    ['audit verify', /^eu-3 +The database cannot be reached.*\n2 of 3 cells +NOT known +\d/m],
    ['rtp', /^eu-3 +The database cannot be reached.*\n2 of 3 cells +0/m],
    ['rtp --check', /^eu-3 +The database cannot be reached.*\n2 of 3 cells +0/m],
    ['report --period life', /^eu-3 +The database cannot be reached.*\n2 of 3 cells +0/m],
  ])('%s: is a row that says why, and the others are done', async (words, table) => {
    const { code, stdout } = await over(words, await withAway());
    expect(stdout).toMatch(table);
    expect(code).toBe(1);
  });

  it('JSON and CSV say it as well', async () => {
    const away = await withAway();
    for (const words of ['rtp', 'report --period life']) {
      const { isWhole, cells: read } = JSON.parse((await over(`${words} --json`, away)).stdout);
      expect(isWhole).toBe(false);
      expect(read[2]).toEqual({ cell: 'eu-3', issue: expect.stringContaining('ECONNREFUSED') });
      expect((await over(`${words} --csv`, away)).stdout).toMatch(/^eu-3,,.*ECONNREFUSED/m);
    }
  });

  it('a database that lacks migrations is named, with what to run', async () => {
    const empty = await createEmptyDatabase();
    const file = await writeFleet(fleetOfCells(cells([...urls.slice(0, -1), empty.url])));
    const { code, stdout } = await over('books-balance', file);
    expect(stdout).toMatch(/^eu-3 +The database lacks .* and \d+ more: run `roundhouse migrate --fleet /m);
    expect(stdout).toMatch(/^eu-1 +balance/m);
    expect(code).toBe(1);
    await empty.drop();
  });

  it('a database of another cell, or with another fleet, gives no figures', async () => {
    const [first = '', second = '', third = ''] = urls;
    const { stdout } = await over('books-balance', await writeFleet(fleetOfCells(cells([second, first, third]))));
    expect(stdout).toMatch(/^eu-1 +The database is that of the cell with number 2, and eu-1 has number 1\.$/m);
    const newer = await over('rtp', await writeFleet(fleetOfCells(cells(urls), { version: 2 })));
    expect(newer.stdout).toMatch(
      /^eu-1 +The database has version 1 of the fleet, the file has 2: run `roundhouse migrate/m,
    );
    expect(newer.code).toBe(1);
  });
});

describe('several databases', () => {
  it('need no fleet, and are named by their addresses', async () => {
    const [first = '', second = ''] = urls;
    const stdout = await succeed(['books-balance', '--database', first, '--database', second]);
    const { host, pathname } = new URL(first);
    expect(stdout).toContain(`\npostgresql://${host}${pathname}  balance`);
    expect(stdout).toMatch(/^all cells +balance/m);
    const password = new URL(first).password;
    if (password !== '') expect(stdout).not.toContain(password);
  });

  it('are not one by two addresses', async () => {
    const [first = ''] = urls;
    const again = new URL(first);
    again.hostname = 'localhost';
    const other = new URL(first);
    other.hostname = '127.0.0.1';
    const { code, stderr } = await run(`rtp --database ${again.href} --database ${other.href}`);
    expect(stderr).toMatch(/ and .* are one database: name it once\.\n$/);
    expect(code).toBe(1);
  });

  it('come from the command line before the environment, and from a fleet before one address', async () => {
    const [first = ''] = urls;
    const env = { DATABASE_URL: first, ROUNDHOUSE_FLEET: fleet };
    expect((await run('books-balance', { env })).stdout).toMatch(/^all cells/m);
    expect((await run(`books-balance --database ${first}`, { env })).stdout).toMatch(/^The books balance/);
    const both = await over(`books-balance --database ${first}`);
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be used with option '--fleet") });
    expect((await run('books-balance --cell eu-1')).stderr).toContain('names a cell of --fleet');
    expect((await over('books-balance --cell eu-9')).stderr).toContain('has no cell eu-9. It has: eu-1, eu-2, eu-3.');
    expect((await over('audit verify --head somewhere.jsonl')).stderr).toContain('--head has the head of one log');
  });
});

it('a bad fleet file is refused with its lines, as a wrong option is', async () => {
  const twice = await writeFleet(
    fleetOfCells([
      { databaseUrl: 'x', numbers: [1] },
      { databaseUrl: 'x', numbers: [1] },
    ]),
  );
  const { code, stderr, stdout } = await over('books-balance', twice);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/fleet\.yaml:\d+: cells\.1\.numbers\.0: number 1 is that of cell eu-1 already\n$/);
  expect((await over('status --wait 600', twice)).code).toBe(3);
});

describe('findings', () => {
  it('name their cell', async () => {
    const [, second] = dbs as [Database, Database];
    await second.$executeRaw`INSERT INTO operators (code, name) VALUES ('acme', 'Acme')`;
    await second.$executeRawUnsafe(`INSERT INTO games (code) VALUES ('a-game')`);
    await second.gameVersion.create({
      data: {
        game: { connect: { code: 'a-game' } },
        version: '1',
        title: 'A',
        mathSha256: '',
        currencies: ['USD'],
        jurisdiction: {},
      },
    });
    await second.$executeRaw`INSERT INTO game_totals
      SELECT v.id, 'BASE', 'USD', o.id, '2026-01-01', 1, 1, 0, 0, 0, 0, 1, 1, 0, 0 FROM operators o, game_versions v WHERE o.code = 'acme' LIMIT 1`;
    const { code, stdout } = await over('books-balance');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^eu-2: game version .* \(the totals of games are those of their rounds\)$/m);
    expect(stdout).toMatch(/^eu-1 +balance .*\neu-2 +do NOT balance .*\neu-3 +balance .*\nall cells +do NOT balance/m);
    await second.$executeRaw`DELETE FROM game_totals`;
    expect((await over('books-balance')).code).toBe(0);
  });

  it('a move that has not ended makes no sum look whole', async () => {
    const [first, second] = dbs as [Database, Database];
    const id = randomUUID();
    for (const [db, state] of [
      [first, 'switched'],
      [second, 'staged'],
    ] as const) {
      await db.$executeRaw`INSERT INTO operators (code, name) VALUES ('acme', 'Acme') ON CONFLICT DO NOTHING`;
      await db.$executeRaw`
        INSERT INTO cell_moves (id, operator_id, player_id, external_id, source, target, state)
        SELECT ${id}::uuid, id, 1, 'anna', 1, 2, ${state}::cell_move_state FROM operators WHERE code = 'acme'`;
    }
    const { code, stdout, stderr } = await over('rtp');
    expect(stderr).toBe('1 player of acme moves from eu-1 to eu-2: a sum may lack rows, or count them twice.\n');
    expect(stdout).toMatch(/^all cells amid moves/m);
    expect(code).toBe(1);
    expect(JSON.parse((await over('rtp --json')).stdout).isWhole).toBe(false);
    expect((await over('status --wait 600')).stdout).toContain(
      '1 player of acme is between the cells with numbers 1 and 2',
    );
    for (const db of [first, second]) await db.$executeRaw`DELETE FROM cell_moves`;
    expect((await over('rtp')).code).toBe(0);
  });
});

describe('status', () => {
  it('has a line for each cell, the findings by cell, and ends with the worst code', async () => {
    const { code, stdout } = await over('status --wait 600');
    expect(stdout).toMatch(/^cell +verdict +nodes ready +unsettled +findings\neu-1 +critical +0 of 1 +0 +1$/m);
    expect(stdout).toMatch(/^all cells +critical +0 of 3 +0 +3$/m);
    expect(stdout).toMatch(/^eu-3 +critical +http:\/\/127\.0\.0\.1:3 does not respond.*\n +→ curl/m);
    expect(code).toBe(2);
    const away = await over('status', await withAway());
    expect(away.stdout).toMatch(/^eu-3 +unknown .*\n2 of 3 cells +unknown/m);
    expect(away.code).toBe(3);
  });

  it('has the status of each cell as JSON, with the nodes of the fleet file', async () => {
    const nodes = ['http://127.0.0.1:7', 'http://127.0.0.1:8'];
    const file = await writeFleet(fleetOfCells(urls.map((databaseUrl) => ({ databaseUrl, nodes }))));
    const { verdict, exitCode, isWhole, cells: read } = JSON.parse((await over('status --json', file)).stdout);
    expect({ verdict, exitCode, isWhole }).toEqual({ verdict: 'critical', exitCode: 2, isWhole: true });
    expect(read.map(({ cell }: { cell: string }) => cell)).toEqual(['eu-1', 'eu-2', 'eu-3']);
    expect(read[1].nodes.map(({ url }: { url: string }) => url)).toEqual(nodes);
    const one = JSON.parse((await over('status --json --cell eu-2', file)).stdout);
    expect(one.nodes.map(({ url }: { url: string }) => url)).toEqual(nodes);
    expect((await over('status --node http://127.0.0.1:7')).code).toBe(3);
  });

  it('says which cell has another fleet, and how it gets this one', async () => {
    const newer = await writeFleet(fleetOfCells(cells(urls), { version: 2 }));
    const { stdout } = await over('status --wait 600', newer);
    expect(stdout).toMatch(
      /eu-1 +warning +the cell has version 1 of the fleet, the file has 2\n +→ roundhouse migrate --fleet /,
    );
  });
});
