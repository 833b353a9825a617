import { expect, it } from 'vitest';
import { createScriptedServer, SCRIPTED_URL } from '../../test/support/scriptedServer.ts';
import { createClient } from './createClient.ts';

it("plays on a server whose authenticate is that of Engine's: round is null, and no mode has a name", async () => {
  const { fetch } = Object.assign(createScriptedServer(), { round: null, betModes: {} });
  const client = createClient({ url: SCRIPTED_URL, fetch });
  expect(await client.authenticate()).toMatchObject({ round: {} });
  expect(client.state).toMatchObject({ canPlay: true, round: undefined });
  expect((await client.play({ amount: 1, mode: 'ante' })).round.betID).toBe(1);
  expect(client.state.round?.betID).toBe(1);
});
