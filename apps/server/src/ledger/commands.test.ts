import { openClient } from '@roundhouse/service';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/support/database.ts';
import * as commands from './commands.ts';
import { maintenanceBeforeSessions } from './queries/maintenance.ts';
import { findSessions } from './queries/sessions.ts';

test('each definition has the parameters and result columns of its SQL function', async () => {
  const database = await createTestDatabase();
  const client = await openClient(database.url);
  for (const { name, signature } of [...Object.values(commands), findSessions, maintenanceBeforeSessions]) {
    const { rows } = await client.query<{ column: string }>(
      `SELECT unnest(proargnames) || ' ' || format_type(unnest(proallargtypes), NULL) AS column
       FROM pg_proc WHERE proname = $1 AND pronamespace = 'public'::regnamespace`,
      [name],
    );
    expect([...signature].sort(), name).toEqual(rows.map(({ column }) => column).sort());
  }
  await client.end();
  await database.drop();
});

test('each command of a round pins the plan of its function', async () => {
  const database = await createTestDatabase();
  const client = await openClient(database.url);
  const { rows } = await client.query<{ proname: string }>(
    `SELECT proname FROM pg_proc WHERE proconfig @> ARRAY['plan_cache_mode=force_generic_plan', 'enable_seqscan=off']`,
  );
  const names = Object.values(commands).map(({ name }) => name);
  expect(rows.map(({ proname }) => proname)).toEqual(expect.arrayContaining([...names, findSessions.name]));
  await client.end();
  await database.drop();
});
