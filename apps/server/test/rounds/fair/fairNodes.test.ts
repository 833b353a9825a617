import { expect, it } from 'vitest';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { expectFairRounds } from '../../support/fairBook.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { serveGames, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });

const PLAYS = Number(process.env.FAIR_PLAYS ?? 60);

it('a player plays two games at once on two nodes while seeds change: no nonce is lost or taken twice', async () => {
  const games = () => Promise.all(['one', 'two'].map((id) => writeFixtureGame({ id })));
  const nodes = [await serveGames(server, await games()), await serveGames(server, await games())] as const;
  const player = { draws: 'provablyFair', token: 'ann', balance: 1_000_000 * UNIT };
  const [one, two] = [
    await nodes[0].liveSession({ ...player, gameID: 'one' }),
    await nodes[1].liveSession({ ...player, gameID: 'two' }),
  ];
  const setSeed = (clientSeed: string) => nodes[0].post('/fairness/client-seed', { sessionID: one, clientSeed });
  expect((await setSeed('first')).status).toBe(200);

  let stored = 0;
  const playOn = async (sessionID: string, mode: string) => {
    for (let index = 0; index < PLAYS; index += 1) {
      const node = nodes[index % 2] as (typeof nodes)[0];
      const played = await node.play(sessionID, { mode });
      expect(played.status, JSON.stringify(played.body)).toBe(200);
      stored += 1;
      if (played.body.round.active) expect((await node.endRound(sessionID)).status).toBe(200);
    }
  };
  let playing = true;
  let changes = 0;
  const changeOn = async () => {
    while (playing) {
      const changed = await setSeed(`seed ${changes}`);
      if (changed.status === 200) changes += 1;
      else expect(changed.body.error).toBe('ERR_VAL');
      const seeds = await nodes[1].post('/fairness/seeds', { sessionID: two });
      const { serverSeedHash } = seeds.body.fairness;
      const rotation = { sessionID: two, serverSeedHash, clientSeed: `rotated ${changes}` };
      const rotated = await nodes[1].post('/fairness/rotate', rotation);
      if (rotated.status !== 200) expect(rotated.body.error).toBe('ERR_VAL');
    }
  };
  const changing = changeOn();
  await Promise.all([playOn(one, 'AUTO'), playOn(two, 'AUTO')]);
  playing = false;
  await changing;
  expect(changes).toBeGreaterThan(0);
  expect(await expectFairRounds(server.db)).toBe(stored);
  const { accountId } = await server.db.session.findUniqueOrThrow({ where: { tokenSha256: sha256Of(one) } });
  expect(await server.db.fairSeed.count({ where: { accountId, nonces: { gt: 0 } } })).toBeGreaterThan(0);
}, 120_000);
