import { expect, it } from 'vitest';
import { createFakeServer } from './testing/fakeServer.ts';
import { atRest, enterTestGame, openTestGame } from './testing/testGame.ts';

const HOME = 'https://casino.example/lobby';
const HELP = 'https://casino.example/help';
const CASHIER = 'https://casino.example/cashier';
const PAGES = { returnURL: HOME, responsibleGamblingURL: HELP, cashierURL: CASHIER, historyURL: CASHIER };
const LINK = `https://games.example/aurora-line/1.0.0/index.html?demo=true&rgs_url=rgs.example&${new URLSearchParams(PAGES)}`;

/** Returns a server whose default bet makes an opening balance of 100 units. */
function smallServer() {
  const server = createFakeServer();
  return Object.assign(server, { config: { ...server.config, defaultBetLevel: 100_000 } });
}

it('leads home and to help, and to no cashier or history of an account', async () => {
  const { model, actions } = await enterTestGame({ link: LINK });
  expect(model.isFunMode).toBe(true);
  expect(model.pages).toMatchObject({ returnURL: HOME, responsibleGamblingURL: HELP });
  expect([model.pages.cashierURL, model.pages.historyURL]).toEqual([undefined, undefined]);
  actions.openDialog('history');
  expect(model.dialog.peek()).toBeUndefined();
});

it('offers a lower bet while the play money covers one, and a new start when it covers none', async () => {
  const { model, actions, page } = await enterTestGame({ link: LINK, server: smallServer() });
  actions.setBet(2_000_000);
  actions.openDialog('buy');
  expect(model.dialog.peek()).toMatchObject({ failure: 'insufficientFunds', remedy: 'close' });
  expect(model.affordableBetMicros.peek()).toBe(1_000_000);
  actions.closeDialog();
  actions.setBet(100_000_000);
  actions.spin();
  await atRest(model);
  actions.spin();
  expect(model.dialog.peek()).toMatchObject({ failure: 'insufficientFunds', remedy: 'reload' });
  expect(model.affordableBetMicros.peek()).toBeUndefined();
  actions.remedy();
  expect(page.reloads).toBe(1);
});

it('a server without fun mode: the game says that there is no demo, and leads home', async () => {
  const server = createFakeServer();
  server.fail('demo/config', 'ERR_VAL');
  const { start, model, actions, page } = await openTestGame({ link: LINK, server });
  void start();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'noDemo', remedy: 'none' });
  actions.leaveTo('returnURL');
  expect(page.left).toEqual([HOME]);
});

it('shows maintenance, at the start and at a play, and goes on after it', async () => {
  const server = createFakeServer();
  const { start, model, actions } = await openTestGame({ link: LINK, server });
  const afterMaintenance = async () => {
    await atRest(model);
    expect(model.dialog.peek()).toMatchObject({ failure: 'maintenance', remedy: 'again' });
    actions.remedy();
  };
  server.fail('demo/config', 'ERR_MAINTENANCE');
  const started = start();
  await afterMaintenance();
  await started;
  actions.enter();
  const before = model.balanceMicros.peek() ?? 0;
  server.fail('demo/play', 'ERR_MAINTENANCE');
  actions.spin();
  await afterMaintenance();
  expect(model.balanceMicros.peek()).toBe(before);
  await atRest(model);
  expect([model.dialog.peek(), model.canSpin.peek()]).toEqual([undefined, true]);
});
