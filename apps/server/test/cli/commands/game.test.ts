import { beforeAll, expect, it } from 'vitest';
import { useBooks } from './books.ts';

const books = useBooks();

const run = (args: string) => books.succeed(...args.split(' '));

beforeAll(async () => {
  const { id: gameVersionId } = await books.db.gameVersion.findFirstOrThrow();
  const sums = { totalWeight: 1, hitWeight: 1, payoutSum: 1, payoutSquares: 1, payoutCubes: 1, maxPayout: 1n };
  await books.db.gameMode.create({ data: { gameVersionId, mode: 'BASE', costMultiplier: 1, ...sums } });
});

it('maintenance of a version and of a mode is switched by their names, which must be known', async () => {
  const version = 'game a-game --game-version 1.0.0';
  expect(await run(`maintenance on ${version} --level nothing-at-all`)).toBe(
    'Maintenance of game a-game 1.0.0 is on: nothing-at-all.\n',
  );
  await run('maintenance on game a-game --mode base');
  const listed = (await run('maintenance list')).replaceAll(/since .*/g, 'since then');
  expect(listed.split('\n').sort()).toEqual([
    '',
    'game a-game 1.0.0: nothing-at-all since then',
    'game a-game, mode BASE: no-new-rounds since then',
  ]);
  expect(await run(`maintenance off ${version}`)).toBe('Maintenance of game a-game 1.0.0 is off.\n');
  expect(await books.db.maintenance.findMany()).toMatchObject([{ version: '', mode: 'BASE' }]);
  const on = 'maintenance on game a-game';
  await books.expectRefused(`${on} --game-version 2`, /^There is no version 2 of game a-game\. Known: 1\.0\.0\.$/m);
  await books.expectRefused(`${on} --mode ANTE`, /^There is no mode ANTE of game a-game\. Known: BASE\.$/m);
});

it('a version is withdrawn once, at a time that list shows, until it is reinstated', async () => {
  expect(await run('game withdraw a-game 1.0.0 --at 2035-01-31T12:00:00Z')).toBe(
    'Version 1.0.0 of game a-game is withdrawn from 2035-01-31T12:00:00.000Z on.\n',
  );
  expect(JSON.parse(await run('game list --json'))).toMatchObject([{ version: '1.0.0', isWithdrawn: false }]);
  const printed = await run('game withdraw a-game 1.0.0');
  const [, from = ''] = /is withdrawn from (\S+) on\.\n$/.exec(printed) ?? [];
  expect(Math.abs(Date.parse(from) - Date.now())).toBeLessThan(300_000);
  expect(await run('game withdraw a-game 1.0.0')).toBe(printed);
  const { publishedAt } = await books.db.gameVersion.findFirstOrThrow();
  expect(await run('game list')).toBe(`a-game 1.0.0: A game
  status       withdrawn
  available    from ${publishedAt.toISOString()}
  withdrawn    from ${from}
  modes        BASE
  SHA-256      ${''}
  open rounds  0
`);
  expect(await run('game reinstate a-game 1.0.0')).toBe('Version 1.0.0 of game a-game is available.\n');
  expect(await books.db.gameVersion.findFirst()).toMatchObject({ withdrawnAt: null });
  await books.expectRefused('game withdraw a-game 2', /^There is no version 2 of game a-game\./m);
});
