import { expect, it } from 'vitest';
import { fleetOfCells, playerOfCell } from './fakeCell.ts';
import { useRouter } from './useRouter.ts';

const { used, cell, send } = useRouter({ cells: 2, cellTimeoutMs: 1_000 });

const launch = (id: number) =>
  send('POST', '/operator/sessions', { playerID: playerOfCell(fleetOfCells(used.cells), id) });

it('a cell whose response drips is waited for as long as for one that hangs', async () => {
  const drips = (status: number, more = {}) => ({ status, headers: { 'x-drip': 'yes', ...more } });
  cell(2).answer(drips(200));
  expect((await send('GET', '/operator/rounds')).body.message).toBe(
    'cell eu-2 (its response does not end in time) does not respond; send the same request again later',
  );
  // It had begun, so its connection is cut.
  cell(1).answer(drips(200));
  await expect(send('GET', '/operator/games')).rejects.toThrow();
  // Nobody reads the body of a refusal that leads to another cell.
  cell(1).forget();
  cell(2).answer(drips(421, { 'roundhouse-cell': '1' }));
  expect((await launch(2)).status).toBe(200);
});

it('players of a cell that hangs get an ERR_GEN that names it; those of others wait for nothing', async () => {
  cell(2).answer(() => 'never');
  const first = await launch(2);
  expect([first.status, first.body.error]).toEqual([500, 'ERR_GEN']);
  expect(first.body.message).toBe(
    'cell eu-2 (no response within 1 s) does not respond; send the same request again later',
  );
  await Promise.all([launch(2), launch(2)]);
  // The cell counts as away now, so nobody waits for it.
  expect((await launch(2)).body.message).toContain('eu-2 (its last requests have failed)');
  await expect.poll(async () => (await launch(1)).status).toBe(200);
  expect((await fetch(`${used.url}/readyz`)).status).toBe(200);
});

it('a router is ready whichever cells are away, and goes on when they respond again', async () => {
  for (const each of used.cells) each.answer(() => 'never');
  await Promise.all([1, 2, 1, 2, 1, 2].map(launch));
  expect((await fetch(`${used.url}/readyz`)).status).toBe(200);
  for (const each of used.cells) each.forget();
  await expect.poll(async () => [(await launch(1)).status, (await launch(2)).status]).toEqual([200, 200]);
});
