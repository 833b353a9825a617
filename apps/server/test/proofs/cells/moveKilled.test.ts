import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { MoveFailpoint } from '../../../src/cells/movePlayer.ts';
import type { MoveResult, MoveRun } from '../../../src/cells/movePlayers.ts';
import { useTwoCells } from '../../cells/twoCells.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import type { TestServer } from '../../support/testServer.ts';

const cells = useTwoCells();

const SCRIPT = fileURLToPath(new URL('./movingCommand.mjs', import.meta.url));

type Command = Partial<MoveRun> & { operatorCode: string; crashAt?: MoveFailpoint; back?: boolean };

/** Runs the command in a separate process. Returns what it says, or the signal that ended it. */
async function runCommand(options: Command): Promise<{ result?: any; error?: string; signal?: string }> {
  const { a, b, fleet } = cells;
  const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let said: { result?: MoveResult; error?: string } = {};
  child.on('message', (message) => {
    said = message as typeof said;
  });
  const urls = [a.databaseUrl, b.databaseUrl];
  child.send({ ...{ urls, fleet, secretsKey: SECRETS_KEY, waitMs: 60_000, completes: false }, ...options });
  const [, signal] = await once(child, 'exit');
  return signal === null ? said : { signal };
}

/**
 * A player who plays at the one cell that lets it, and goes to the other one when its session ends.
 */
function startPlayer(name: string, operator: 'house' | 'acme') {
  const { a, b } = cells;
  const bets: number[] = [];
  let isStopped = false;
  const sessionAt = async (server: TestServer) => {
    if (operator === 'acme') {
      const sessionID = `acme:${randomUUID()}:${name}`;
      await server.authenticate(sessionID);
      return sessionID;
    }
    return server.liveSession({ token: name });
  };
  const here = async () => {
    const row = await b.db.player.findFirst({ where: { externalId: name } });
    return row?.movedTo === null ? b : a;
  };
  const playing = (async () => {
    let server = await here();
    let sessionID = await sessionAt(server);
    while (!isStopped) {
      const played = await server.play(sessionID);
      if (played.status === 200) {
        bets.push(played.body.round.betID);
        if (played.body.round.active) await server.endRound(sessionID);
      } else if (played.body.error === 'ERR_IS') {
        const next = await here();
        // Between the two cells, no cell lets the player play.
        if (next !== server) {
          server = next;
          sessionID = await sessionAt(server);
        }
      } else {
        expect(played.body).toMatchObject({ error: 'ERR_MAINTENANCE' });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    name,
    bets,
    async stop() {
      isStopped = true;
      await playing;
    },
  };
}

/** Each round of these players is completed, once, in one of the two databases. */
async function expectWhole(players: readonly { name: string; bets: number[] }[]): Promise<void> {
  const roundsOf = async ({ db }: TestServer) =>
    db.$queryRaw<{ id: bigint; name: string; isOpen: boolean }[]>`
      SELECT r.id, p.external_id AS name, r.ended_at IS NULL AS "isOpen" FROM all_rounds r JOIN players p ON p.id = r.player_id
      WHERE p.external_id = ANY (${players.map(({ name }) => name)})`;
  const rounds = [...(await roundsOf(cells.a)), ...(await roundsOf(cells.b))];
  expect(new Set(rounds.map(({ id }) => id)).size).toBe(rounds.length);
  expect(rounds.filter(({ isOpen }) => isOpen)).toEqual([]);
  const played = players.flatMap(({ bets }) => bets);
  expect(new Set(played).size).toBe(played.length);
  expect(rounds.map(({ id }) => Number(id)).sort()).toEqual([...played].sort());
}

const FORWARD = ['closed', 'settled', 'staged', 'switched', 'landed', 'finished'] as const satisfies MoveFailpoint[];
/** The steps at which the command is killed, and then --back. */
const BACK = [
  ['closed', 'opened'],
  ['settled', 'unstaged'],
  ['staged', 'opened'],
] as const satisfies [MoveFailpoint, MoveFailpoint][];

const PLAYERS = 8;

/** Lets players play while the work is done, and afterwards: wherever they are. */
async function withPlayers(operator: 'house' | 'acme', work: (externalIDs: string[]) => Promise<void>): Promise<void> {
  const players = Array.from({ length: PLAYERS }, () => startPlayer(cells.newPlayer(operator), operator));
  try {
    await expect.poll(() => players.every(({ bets }) => bets.length > 2)).toBe(true);
    await work(players.map(({ name }) => name));
    const before = players.map(({ bets }) => bets.length);
    await expect.poll(() => players.every(({ bets }, at) => bets.length > (before[at] ?? 0))).toBe(true);
  } finally {
    await Promise.all(players.map((player) => player.stop()));
  }
  for (const { db } of [cells.a, cells.b]) {
    await expect.poll(() => db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
  }
  await expectWhole(players);
  await cells.expectBooks();
}

it.each(['house', 'acme'] as const)(
  'players of %s move although the command is killed after each step',
  async (operatorCode) => {
    await withPlayers(operatorCode, async (externalIDs) => {
      for (const crashAt of FORWARD) {
        expect([crashAt, await runCommand({ operatorCode, externalIDs, crashAt })]).toEqual([
          crashAt,
          { signal: 'SIGKILL' },
        ]);
        await cells.expectBooks();
      }
      const { result, error } = await runCommand({ operatorCode, externalIDs });
      expect({ error, left: result?.left }).toEqual({ error: undefined, left: [] });
      const here = { externalId: { in: externalIDs }, movedTo: null };
      expect(await cells.b.db.player.count({ where: here })).toBe(PLAYERS);
      expect(await cells.a.db.player.count({ where: here })).toBe(0);
    });
  },
);

it('players stay although the command is killed before the switch, and --back is killed as well', async () => {
  const operatorCode = 'acme';
  await withPlayers(operatorCode, async (externalIDs) => {
    for (const [crashAt, backAt] of BACK) {
      expect(await runCommand({ operatorCode, externalIDs, crashAt })).toEqual({ signal: 'SIGKILL' });
      await cells.expectBooks();
      const back = await runCommand({ operatorCode, externalIDs, back: true, crashAt: backAt });
      expect([backAt, back]).toEqual([backAt, { signal: 'SIGKILL' }]);
      await cells.expectBooks();
      const { result } = await runCommand({ operatorCode, externalIDs, back: true });
      // Some may have been through before the kill.
      for (const name of result.switched) expect(externalIDs).toContain(name);
    }
    const { result } = await runCommand({ operatorCode, externalIDs });
    expect(result.left).toEqual([]);
  });
});
