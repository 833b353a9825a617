import { expect, it } from 'vitest';
import { freeSpinsBook } from './testing/books.ts';
import { createFakeServer } from './testing/fakeServer.ts';
import { atRest, openTestGame } from './testing/testGame.ts';

const LINK =
  'https://games.example/aurora-line/1.0.0/index.html?replay=true&game=aurora-line&version=1.0.0&mode=base&event=17&amount=2000000&rgs_url=rgs.example&currency=EUR';

it('plays a book as often as wanted, without a session', async () => {
  const server = createFakeServer();
  server.books.push(freeSpinsBook(150, 50));
  const { model, actions, start, stage } = await openTestGame({ server, link: LINK });
  await start();
  expect(model.phase.peek()).toBe('idle');
  expect(model.balanceMicros.peek()).toBeUndefined();
  const info = {
    mode: 'BASE',
    betMicros: 2_000_000,
    costMicros: 2_000_000,
    book: '17',
    canLeave: false,
    isFree: false,
  };
  expect(model.replay.peek()).toEqual({ ...info, state: 'ready' });
  for (const round of [1, 2]) {
    actions.startReplay();
    expect(model.replay.peek()?.state).toBe('playing');
    await atRest(model);
    expect(model.replay.peek()).toEqual({ ...info, state: 'ended' });
    expect(model.winMicros.peek()).toBe(4_000_000);
    expect(stage.calls.filter((name) => name === 'announce')).toHaveLength(2 * round);
  }
  expect(server.requests.map(({ name }) => name)).toEqual(['replay']);
});

it('offers nothing that would cost money', async () => {
  const { model, actions, start, page } = await openTestGame({ link: LINK });
  await start();
  expect(model.canSpin.peek()).toBe(false);
  expect(model.permissions.peek()).toMatchObject({ autoplay: false, buyFeature: false, slamStop: true, turbo: true });
  actions.spin();
  actions.openDialog('buy');
  actions.openDialog('bet');
  expect(model.dialog.peek()).toBeUndefined();
  expect(page.press('spin')).toBe(true);
  expect(model.replay.peek()?.state).toBe('playing');
  await atRest(model);
});

it('says that there is no such round', async () => {
  const server = createFakeServer();
  server.fail('replay', 'not-found');
  const { model, start } = await openTestGame({ server, link: LINK });
  await start();
  expect(model.phase.peek()).toBe('blocked');
  expect(model.dialog.peek()).toMatchObject({ failure: 'replayNotFound', remedy: 'none' });
});

it('retries when the server has failed', async () => {
  const server = createFakeServer();
  server.fail('replay', 'ERR_GEN');
  const { model, actions, start } = await openTestGame({ server, link: LINK });
  const starting = start();
  await atRest(model);
  actions.remedy();
  await starting;
  expect(model.replay.peek()?.state).toBe('ready');
});
