import { randomUUID } from 'node:crypto';
import { idRangeOf } from '@roundhouse/fleet';
import { expect, it } from 'vitest';
import { hasOtherOldPlayers } from '../../src/store/cells/cellMoves.ts';
import { useDatabase } from '../support/database.ts';

const used = useDatabase();
const SOURCE = 2;

it('players of before the fleet come from one cell only', async () => {
  const { db } = used;
  const { id: operatorId } = await db.operator.create({ data: { code: 'acme', name: 'Acme' } });
  const has = (...playerIDs: bigint[]) => hasOtherOldPlayers(db, { source: SOURCE, playerIDs });
  const add = (id: bigint, externalId: string) => db.player.create({ data: { id, operatorId, externalId } });

  await add(idRangeOf(1).first, 'own');
  expect(await has(7n)).toBe(false);

  // A player from before the fleet has come from the source: others may follow.
  await add(8n, 'moved');
  await db.$executeRaw`
    INSERT INTO cell_moves (id, operator_id, player_id, external_id, source, target, state)
    VALUES (${randomUUID()}::uuid, ${operatorId}, 8, 'moved', ${SOURCE}, 1, 'finished')`;
  expect(await has(7n)).toBe(false);

  // This cell had its own players before the fleet: only players who were here may come.
  await add(9n, 'old');
  expect(await has(7n)).toBe(true);
  expect(await has(9n)).toBe(false);
  expect(await has(7n, 9n)).toBe(true);
});
