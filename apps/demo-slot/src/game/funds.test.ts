import { expect, it } from 'vitest';
import type { ModeName } from '../../rules.ts';
import type { Dialog } from './model.ts';
import { createFakeServer, type FakeServer } from './testing/fakeServer.ts';
import { atRest, enterTestGame } from './testing/testGame.ts';

const AUTOPLAY = { spins: 10, lossLimitMicros: undefined, singleWinLimitMicros: undefined, stopOnFreeSpins: false };

function serverWith(balance: number): FakeServer {
  return Object.assign(createFakeServer(), { balance });
}

const short = (mode: ModeName): Dialog => ({
  kind: 'failure',
  failure: 'insufficientFunds',
  remedy: 'close',
  requestId: undefined,
  mode,
});

it('a spin that the balance does not cover is not a request, and the highest bet that it covers is offered', async () => {
  const { model, actions, server } = await enterTestGame({ server: serverWith(999_999) });
  actions.spin();
  expect(model.dialog.peek()).toEqual(short('BASE'));
  expect(server.count('play')).toBe(0);
  expect(model.affordableBetMicros.peek()).toBe(500_000);
  actions.takeAffordableBet();
  expect(model.dialog.peek()).toBeUndefined();
  expect(model.betMicros.peek()).toBe(500_000);
  actions.spin();
  await atRest(model);
  expect(server.balance).toBe(499_999);
});

it('a balance below the lowest bet has no lower one to offer', async () => {
  const { model, actions } = await enterTestGame({ server: serverWith(99_999) });
  actions.spin();
  expect(model.affordableBetMicros.peek()).toBeUndefined();
  actions.takeAffordableBet();
  expect(model.dialog.peek()).toEqual(short('BASE'));
});

it('a balance of exactly the stake is played', async () => {
  const { model, actions, server } = await enterTestGame({ server: serverWith(1_250_000) });
  actions.setAnte(true);
  actions.spin();
  await atRest(model);
  expect(server.balance).toBe(0);
});

it('counts with what the mode costs, and says so before any question', async () => {
  const { model, actions } = await enterTestGame({ server: serverWith(1_249_999) });
  actions.openDialog('buy');
  expect(model.dialog.peek()).toEqual(short('BONUS'));
  expect(model.affordableBetMicros.peek()).toBeUndefined();
  actions.closeDialog();
  actions.setAnte(true);
  actions.openDialog('autoplay');
  expect(model.dialog.peek()).toEqual(short('ANTE'));
  expect(model.affordableBetMicros.peek()).toBe(500_000);
});

it('an autoplay ends before the spin that the balance does not cover', async () => {
  const { model, actions, server } = await enterTestGame({ server: serverWith(2_500_000) });
  actions.openDialog('autoplay');
  actions.askAutoplay(AUTOPLAY);
  actions.startAutoplay(AUTOPLAY);
  await atRest(model);
  expect(server.count('play')).toBe(2);
  expect(model.autoplay.peek()).toBeUndefined();
  expect(model.dialog.peek()).toEqual(short('BASE'));
});

it('closes automatically when the balance covers the bet', async () => {
  const { model, actions, server, client } = await enterTestGame({ server: serverWith(0) });
  actions.spin();
  server.balance = 5_000_000;
  // The client does this from time to time.
  await client?.balance();
  expect(model.dialog.peek()).toBeUndefined();
});
