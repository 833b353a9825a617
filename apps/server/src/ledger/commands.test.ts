import { expect, it } from 'vitest';
import { useDatabase } from '../../test/support/database.ts';
import { maintenanceBeforeSessions } from '../store/rounds/maintenance.ts';
import { findSessions } from '../store/rounds/sessions.ts';
import * as roundCommands from './commands.ts';
import * as freeRoundCommands from './freeRoundCommands.ts';

const database = useDatabase();

const commands = [...Object.values(roundCommands), ...Object.values(freeRoundCommands)].filter(
  (each) => 'signature' in each,
);

it.each([...commands, findSessions, maintenanceBeforeSessions])(
  '$name has the parameters and result columns of its SQL function',
  async ({ name, signature }) => {
    const { rows } = await database.db.pool.query<{ column: string }>(
      `SELECT unnest(proargnames) || ' ' || format_type(unnest(proallargtypes), NULL) AS column
       FROM pg_proc WHERE proname = $1 AND pronamespace = 'public'::regnamespace`,
      [name],
    );
    expect([...signature].sort()).toEqual(rows.map(({ column }) => column).sort());
  },
);

it('each command of a round pins the plan of its function', async () => {
  const { rows } = await database.db.pool.query<{ proname: string }>(
    `SELECT proname FROM pg_proc WHERE proconfig @> ARRAY['plan_cache_mode=force_generic_plan', 'enable_seqscan=off']`,
  );
  const names = commands.map(({ name }) => name);
  expect(rows.map(({ proname }) => proname)).toEqual(expect.arrayContaining([...names, findSessions.name]));
});
