import { AGGREGATORS } from '@roundhouse/aggregators';
import { it } from 'vitest';
import { startDialectSimulator } from '../../src/local/dialectSimulator.ts';
import { betFromLobby } from '../operators/dialectApi/betFromLobby.ts';
import { expectOneLine, runRoundhouse, SECRETS_KEY } from '../support/roundhouse.ts';
import { useTestServer } from '../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });

// devGames.test.ts starts one of them by `dev --dialect`.
it.each(AGGREGATORS.map(({ aggregator }) => aggregator.name))(
  'the simulator of dev for %s has a lobby that launches a game, whose bets its wallet takes',
  async (name) => {
    const { db, catalogue, url } = server;
    const simulator = await startDialectSimulator({ db, catalogue, name, port: 0, serverUrl: url });
    await betFromLobby(simulator.origin, { gameID: 'fixture', title: 'Fixture' });
    await simulator.close();
  },
);

it('a dialect that nobody has is not taken', async () => {
  expectOneLine(await runRoundhouse(['dev', '--dialect', 'other']), /'other' is invalid. Allowed choices are/);
});
