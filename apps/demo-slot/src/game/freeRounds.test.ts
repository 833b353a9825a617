import { expect, it } from 'vitest';
import { plainBook } from './testing/books.ts';
import { createFakeServer, type FakeServer, grantOf } from './testing/fakeServer.ts';
import { atRest, enterTestGame, type TestGame, type TestGameOptions } from './testing/testGame.ts';

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const AUTOPLAY = { spins: 10, lossLimitMicros: undefined, singleWinLimitMicros: undefined, stopOnFreeSpins: false };

function serverWith(...grants: FakeServer['grants']): FakeServer {
  return Object.assign(createFakeServer(), { grants });
}

/** A round of the grant `a` is open. */
function serverInFreeRound(...grants: FakeServer['grants']): FakeServer {
  const server = serverWith(...grants);
  server.openRound(plainBook(200));
  server.round = {
    ...(server.round as NonNullable<FakeServer['round']>),
    amount: 500_000,
    grantID: 'a',
  } as typeof server.round;
  return server;
}

const opened = ({ model }: TestGame) => {
  const dialog = model.dialog.peek();
  return dialog && ('grant' in dialog ? [dialog.kind, dialog.grant.grantID] : dialog.kind);
};

async function enter(server: FakeServer, options: TestGameOptions = {}): Promise<TestGame> {
  const game = await enterTestGame({ ...options, server });
  await atRest(game.model);
  return game;
}

async function accept(game: TestGame): Promise<void> {
  game.actions.acceptFreeRounds();
  await expect.poll(() => game.model.deciding.peek()).toBe(false);
}

async function spin({ model, actions }: TestGame): Promise<void> {
  actions.spin();
  await atRest(model);
}

it('offers free rounds between two rounds, plays them at their bet, says what they have won, and returns to the previous bet', async () => {
  const server = serverWith(grantOf('a', { given: 2, left: 2 }));
  const game = await enter(server);
  const { model, actions } = game;
  expect(opened(game)).toEqual(['freeRounds', 'a']);
  expect(model.betMicros.peek()).toBe(UNIT);
  await accept(game);
  expect(opened(game)).toBeUndefined();
  expect(model.betMicros.peek()).toBe(UNIT / 2);
  expect(model.grant.peek()).toMatchObject({ used: 0, left: 2, won: 0 });

  server.books.push(plainBook(300), plainBook(100));
  await spin(game);
  expect(model.grant.peek()).toMatchObject({ used: 1, left: 1, won: 1.5 * UNIT });
  expect(model.balanceMicros.peek()).toBe(OPENING_BALANCE + 1.5 * UNIT);
  await spin(game);
  expect(opened(game)).toEqual(['freeRoundsEnded', 'a']);
  expect(model.dialog.peek()).toMatchObject({ grant: { state: 'finished', used: 2, won: 2 * UNIT } });
  expect(model.netPositionMicros.peek()).toBe(2 * UNIT);

  actions.closeFreeRoundsEnd();
  expect(opened(game)).toBeUndefined();
  expect(model.betMicros.peek()).toBe(UNIT);
  await spin(game);
  expect(server.balance).toBe(OPENING_BALANCE + UNIT);
  expect(server.requests.filter(({ name }) => name === 'play').map(({ body }) => body.grantID)).toEqual([
    'a',
    'a',
    undefined,
  ]);
});

it('fixes bet and mode while free rounds are played', async () => {
  const game = await enter(serverWith(grantOf('a', { state: 'accepted', mode: 'ANTE' })));
  const { model, actions } = game;
  expect(model.mode.peek()).toBe('ANTE');
  for (const press of [actions.raiseBet, actions.lowerBet, () => actions.setBet(UNIT), () => actions.setAnte(false)])
    press();
  for (const kind of ['bet', 'buy'] as const) actions.openDialog(kind);
  expect([model.betMicros.peek(), model.mode.peek(), opened(game)]).toEqual([UNIT / 2, 'ANTE', undefined]);
  expect([model.canChangeBet, model.canRaiseBet, model.canLowerBet].map((can) => can.peek())).toEqual([
    false,
    false,
    false,
  ]);
});

it('plays free rounds without any money', async () => {
  const server = Object.assign(serverWith(grantOf('a', { state: 'accepted' })), { balance: 0 });
  const game = await enter(server);
  await spin(game);
  expect(opened(game)).toBeUndefined();
  expect(game.model.grant.peek()).toMatchObject({ used: 1 });
});

it('keeps an offer for later: the next one is offered, and the mark leads back', async () => {
  const game = await enter(serverWith(grantOf('a'), grantOf('b')));
  const { model, actions, server } = game;
  actions.keepFreeRounds();
  expect(opened(game)).toEqual(['freeRounds', 'b']);
  actions.keepFreeRounds();
  expect([opened(game), model.grant.peek(), model.laterGrant.peek()?.grantID]).toEqual([undefined, undefined, 'a']);
  expect(server.count('grants')).toBe(0);
  await spin(game);
  expect(server.balance).toBe(OPENING_BALANCE - UNIT);
  actions.openFreeRounds();
  expect(opened(game)).toEqual(['freeRounds', 'a']);
  await accept(game);
  expect(model.grant.peek()?.grantID).toBe('a');
});

it('asks before it declines, and comes back to the offer when the answer is no', async () => {
  const game = await enter(serverWith(grantOf('a'), grantOf('b')));
  const { model, actions, server } = game;
  actions.askDeclineFreeRounds();
  expect(opened(game)).toEqual(['freeRoundsDecline', 'a']);
  actions.closeDialog();
  expect(opened(game)).toEqual(['freeRounds', 'a']);
  actions.askDeclineFreeRounds();
  actions.declineFreeRounds();
  await expect.poll(() => model.deciding.peek()).toBe(false);
  expect(server.grants[0]).toMatchObject({ state: 'declined' });
  expect(opened(game)).toEqual(['freeRounds', 'b']);
});

it('plays an automatic grant without an offer, and without asking for later', async () => {
  const game = await enter(serverWith(grantOf('a', { automatic: true })));
  expect([opened(game), game.model.betMicros.peek()]).toEqual([undefined, UNIT / 2]);
  game.actions.openFreeRounds();
  game.actions.keepFreeRounds();
  expect(game.model.grant.peek()?.grantID).toBe('a');
  await spin(game);
  expect(game.server.balance).toBe(OPENING_BALANCE);
});

it('resumes a free round, whose grant goes on', async () => {
  const server = serverInFreeRound(grantOf('a', { state: 'accepted', used: 1, left: 2 }));
  const game = await enter(server);
  expect(server.round?.active).toBe(false);
  expect(game.model.grant.peek()).toMatchObject({ used: 1, left: 2 });
  expect(game.model.betMicros.peek()).toBe(UNIT / 2);
});

it('resumes the last free round of a grant that is over, and then has the previous bet', async () => {
  const server = serverInFreeRound(grantOf('a', { state: 'expired', used: 1, left: 0 }));
  const game = await enter(server);
  expect(opened(game)).toEqual(['freeRoundsEnded', 'a']);
  expect(game.model.betMicros.peek()).toBe(UNIT);
});

it.each(['expired', 'cancelled'] as const)('says that an offer was %s while its dialog was open', async (state) => {
  const game = await enter(serverWith(grantOf('a')));
  game.server.changeGrant('a', { state, left: 0 });
  await accept(game);
  expect(opened(game)).toEqual(['freeRoundsEnded', 'a']);
  expect(game.server.count('play')).toBe(0);
});

it('says that free rounds have expired in the middle: the spin is refused, and nothing is bet', async () => {
  const game = await enter(serverWith(grantOf('a', { state: 'accepted', used: 1, left: 2, won: UNIT as never })));
  game.server.changeGrant('a', { state: 'expired', left: 0 });
  await spin(game);
  expect(opened(game)).toEqual(['freeRoundsEnded', 'a']);
  expect([game.server.count('play'), game.server.balance]).toEqual([1, OPENING_BALANCE]);
  expect(game.stage.areReelsTurning).toBe(false);
  game.actions.closeFreeRoundsEnd();
  expect([game.model.betMicros.peek(), game.model.canSpin.peek()]).toEqual([UNIT, true]);
});

it('ends an autoplay with the free rounds: no paid round follows, and no other free rounds', async () => {
  const game = await enter(serverWith(grantOf('a', { state: 'accepted' }), grantOf('b', { automatic: true })));
  const { model, actions, server } = game;
  actions.openDialog('autoplay');
  actions.askAutoplay(AUTOPLAY);
  actions.startAutoplay(AUTOPLAY);
  await expect.poll(() => opened(game)).toEqual(['freeRoundsEnded', 'a']);
  expect([server.count('play'), server.balance, model.autoplay.peek()]).toEqual([3, OPENING_BALANCE, undefined]);
  actions.closeFreeRoundsEnd();
  expect(model.grant.peek()?.grantID).toBe('b');
});

it('offers nothing during a paid autoplay', async () => {
  const game = await enter(serverWith());
  const { actions, server, client } = game;
  actions.openDialog('autoplay');
  actions.askAutoplay(AUTOPLAY);
  actions.startAutoplay({ ...AUTOPLAY, spins: 2 });
  server.grants = [grantOf('a')];
  await client?.authenticate();
  await expect.poll(() => opened(game)).toEqual(['freeRounds', 'a']);
  expect(server.count('play')).toBe(2);
});

it('offers what was given meanwhile when the player comes back to the game', async () => {
  const game = await enter(serverWith());
  game.server.grants = [grantOf('a')];
  game.page.comeBack();
  await expect.poll(() => opened(game)).toEqual(['freeRounds', 'a']);
});

it('goes on when a decision meets no connection', async () => {
  const game = await enter(serverWith(grantOf('a')));
  game.server.fail('grants', 'no-network');
  await accept(game);
  expect(opened(game)).toBe('failure');
  game.actions.remedy();
  await expect.poll(() => opened(game)).toEqual(['freeRounds', 'a']);
  await accept(game);
  expect(game.model.grant.peek()?.grantID).toBe('a');
});

it('counts free rounds aloud', async () => {
  const game = await enter(serverWith(grantOf('a', { state: 'accepted', used: 1, left: 2 })));
  const heard: string[] = [];
  game.model.announcement.subscribe((text) => heard.push(text));
  await spin(game);
  await spin(game);
  expect(heard).toEqual(expect.arrayContaining(['Free round 2 of 3', 'Free round 3 of 3', 'Free rounds completed']));
});
