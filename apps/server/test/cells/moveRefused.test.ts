import type { Fleet } from '@roundhouse/fleet';
import { expect, it } from 'vitest';
import { movePlayers } from '../../src/cells/movePlayers.ts';
import { openDatabase } from '../../src/store/database/database.ts';
import { setOperator } from '../../src/store/operators/operators.ts';
import { UNIT } from '../support/testServer.ts';
import { useTwoCells, whereIs } from './twoCells.ts';

const cells = useTwoCells();

/** A player at a. Before a refusal nothing happens, so it is there afterwards. */
async function somePlayer() {
  const token = cells.newPlayer('house');
  const sessionID = await cells.a.liveSession({ token });
  await cells.a.play(sessionID, { mode: 'AUTO' });
  await cells.a.endRound(sessionID);
  return { token, sessionID };
}

async function expectRefused(
  token: string,
  message: string | RegExp,
  more: object = {},
  operator = 'house',
): Promise<void> {
  await expect(cells.move(operator, { externalIDs: [token], ...more })).rejects.toThrow(message);
  expect(await whereIs(cells, token)).toEqual({ a: { movedTo: null, accounts: 1 }, b: null });
  expect(await cells.a.db.account.count({ where: { isMoving: true } })).toBe(0);
}

it('players who are not there are named', async () => {
  await expectRefused((await somePlayer()).token, 'Cell a has no player nobody, noone.', {
    externalIDs: ['nobody', 'noone'],
  });
});

it('a version that the target has not published is named', async () => {
  const { token } = await somePlayer();
  const version = await cells.b.db.gameVersion.findFirstOrThrow({ include: { game: true } });
  await cells.b.db.gameVersion.update({ where: { id: version.id }, data: { version: 'another' } });
  await expectRefused(
    token,
    `Cell b has not published ${version.game.code} ${version.version}: serve them there first.`,
  );
  await cells.b.db.gameVersion.update({ where: { id: version.id }, data: { version: version.version } });
});

it('an operator who is not at the target, or has another wallet there, is in the way', async () => {
  const { token } = await somePlayer();
  await cells.b.db.operator.update({ where: { code: 'house' }, data: { code: 'home' } });
  await expectRefused(token, 'Cell b has no operator house.');
  await cells.b.db.operator.update({ where: { code: 'home' }, data: { code: 'house', dialect: 'hub88' } });
  await expectRefused(token, 'Operator house has the wallet house (roundhouse) in cell a and house (hub88) in cell b');
  await cells.b.db.operator.update({ where: { code: 'house' }, data: { dialect: 'roundhouse' } });
});

it('an operator whom the fleet places elsewhere is not moved there', async () => {
  const { token } = await somePlayer();
  const fleet: Fleet = { ...cells.fleet, placements: [{ cells: ['a'] }] };
  await expectRefused(token, 'The fleet file places operator house not in cell b: add a placement first.', { fleet });
});

it('another version of the fleet file is refused, and a database that is another cell', async () => {
  const { token } = await somePlayer();
  const { fleet, source, target } = cells;
  await expectRefused(token, 'Cell a has version 1 of the fleet', { fleet: { ...fleet, version: 2 } });
  await expectRefused(token, 'The database of cell b says that it is the cell with number 1', {
    target: { ...target, db: source.db },
  });
});

it('a database of another version of the server is refused', async () => {
  const { token } = await somePlayer();
  await cells.b.db.$executeRawUnsafe(`COMMENT ON FUNCTION land_player(uuid) IS 'another text'`);
  await expectRefused(token, /The database of cell b lacks functions\/land_player.sql/);
  const [row] = await cells.a.db.$queryRaw<
    { comment: string }[]
  >`SELECT obj_description('land_player'::regproc) AS comment`;
  await cells.b.db.$executeRawUnsafe(`COMMENT ON FUNCTION land_player(uuid) IS '${row?.comment}'`);
});

it('a key that does not open the server seeds is refused', async () => {
  const { token } = await somePlayer();
  await cells.a.liveSession({ token: cells.newPlayer('house'), draws: 'provablyFair' });
  const db = openDatabase({ url: cells.a.databaseUrl, secretsKey: 'e'.repeat(64) });
  try {
    await expectRefused(token, 'which is not here: set ROUNDHOUSE_SECRETS_KEY to it', {
      source: { ...cells.source, db },
    });
  } finally {
    await db.$disconnect();
  }
});

it('ids only go up: a player who has ids of the last number of the target, or above, stays', async () => {
  const { token } = await somePlayer();
  await cells.move('house', { externalIDs: [token] });
  const sessionID = await cells.b.liveSession({ token });
  await cells.b.play(sessionID, { mode: 'AUTO' });
  await cells.b.endRound(sessionID);
  const { source, target, fleet } = cells;
  const back = {
    source: target,
    target: source,
    operatorCode: 'house',
    externalIDs: [token],
    waitMs: 0,
    completes: false,
  };
  const refused = movePlayers({ ...back, fleet });
  await expect(refused).rejects.toThrow(
    'Cell a cannot take these players: it has ids of number 2, and the target makes new ones with number 1',
  );
  expect(await whereIs(cells, token)).toEqual({ a: { movedTo: 2, accounts: 0 }, b: { movedTo: null, accounts: 1 } });
});

it('one command moves the players of an operator at a time', async () => {
  const { token } = await somePlayer();
  let second: Promise<unknown> | undefined;
  const failpoint = () => {
    second ??= cells.move('house', { externalIDs: [token] }).catch((error) => error.message);
  };
  await cells.move('house', { externalIDs: [token], failpoint });
  expect(await second).toContain('Another command moves players of house out of cell a now.');
});

it('a player of the same name at the target stays where it is', async () => {
  const { token } = await somePlayer();
  await setOperator(cells.b.db, 'house', {});
  const { id: operatorId } = await cells.b.db.operator.findUniqueOrThrow({ where: { code: 'house' } });
  await cells.b.db.player.create({ data: { operatorId, externalId: token } });
  const left = { externalID: token, why: `the target already has a player ${token}` };
  expect(await cells.move('house', { externalIDs: [token] })).toEqual({ moved: 0, left: [left] });
  expect(await cells.a.db.account.count({ where: { isMoving: true } })).toBe(0);
});

it('totals of games follow the greatest bet of a day', async () => {
  const { a, b } = cells;
  const play = async (amount: number) => {
    const token = cells.newPlayer('house');
    const sessionID = await a.liveSession({ token });
    await a.play(sessionID, { mode: 'AUTO', amount });
    await a.endRound(sessionID);
    return token;
  };
  await play(2 * UNIT);
  const same = [await play(5 * UNIT), await play(5 * UNIT)] as const;
  for (const [token, max] of [
    [same[0], 5 * UNIT],
    [same[1], 2 * UNIT],
  ] as const) {
    await cells.move('house', { externalIDs: [token] });
    const totalsOf = (db: typeof a.db) => db.gameTotal.findMany({ where: { mode: 'AUTO' }, select: { maxBet: true } });
    expect(Math.max(...(await totalsOf(a.db)).map(({ maxBet }) => Number(maxBet)))).toBe(max);
    expect(Math.max(...(await totalsOf(b.db)).map(({ maxBet }) => Number(maxBet)), 0)).toBe(5 * UNIT);
    await cells.expectBooks();
  }
});

it('a launch at the source names the cell to which the player went', async () => {
  const { token } = await somePlayer();
  await cells.move('house', { externalIDs: [token] });
  const { status, body } = await cells.a.post('/session/start', { token });
  expect({ status, body }).toMatchObject({ status: expect.any(Number), body: { error: 'ERR_VAL' } });
  expect(body.message).toContain('cell b (2)');
});
