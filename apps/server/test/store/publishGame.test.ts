import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import { setOperator } from '../../src/store/operators/operators.ts';
import { publishGame } from '../../src/store/rounds/games.ts';
import { useDatabase } from '../support/database.ts';

const TIMES = 10;
const database = useDatabase();

it('two nodes that make the same new operator, game and version known at the same moment both can', async () => {
  const nodes = [database.db, openDatabase({ url: database.url })];
  for (let time = 1; time <= TIMES; time += 1) {
    const publish = async (db: (typeof nodes)[number]) => {
      // Both are connected, so that both are as fast.
      await db.$queryRaw`SELECT 1`;
      await setOperator(db, `new-${time}`, {});
      const game = { gameID: `new-${time}`, version: '1', title: 'New', mathSha256: 'a'.repeat(64) };
      return publishGame(db, { ...game, currencies: ['EUR'], jurisdiction: {}, betLimits: {}, modeReturns: {} });
    };
    expect(await Promise.all(nodes.map(publish))).toEqual([{ ok: true }, { ok: true }]);
  }
  await nodes[1]?.$disconnect();
});
