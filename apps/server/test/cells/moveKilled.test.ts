import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { MoveFailpoint } from '../../src/cells/movePlayer.ts';
import type { MoveResult, MoveRun } from '../../src/cells/movePlayers.ts';
import { SECRETS_KEY } from '../support/roundhouse.ts';
import type { TestServer } from '../support/testServer.ts';
import { useTwoCells } from './twoCells.ts';

const cells = useTwoCells();

const SCRIPT = fileURLToPath(new URL('./movingCommand.mjs', import.meta.url));

type Command = Partial<MoveRun> & { operatorCode: string; crashAt?: MoveFailpoint; passes?: number; back?: boolean };

/** Runs the command in a process of its own. Returns what it says, or the signal that ended it. */
async function runCommand(options: Command): Promise<{ result?: any; error?: string; signal?: string }> {
  const { a, b, fleet } = cells;
  const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let said: { result?: MoveResult; error?: string } = {};
  child.on('message', (message) => {
    said = message as typeof said;
  });
  const urls = [a.databaseUrl, b.databaseUrl];
  child.send({ ...{ urls, fleet, secretsKey: SECRETS_KEY, waitMs: 60_000, completes: false, passes: 0 }, ...options });
  const [, signal] = await once(child, 'exit');
  return signal === null ? said : { signal };
}

/** A player who plays at the one cell that lets it, and goes to the other one when its session ends. */
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
      SELECT r.id, p.external_id AS name, r.closed_at IS NULL AS "isOpen" FROM all_rounds r JOIN players p ON p.id = r.player_id
      WHERE p.external_id = ANY (${players.map(({ name }) => name)})`;
  const rounds = [...(await roundsOf(cells.a)), ...(await roundsOf(cells.b))];
  expect(new Set(rounds.map(({ id }) => id)).size).toBe(rounds.length);
  expect(rounds.filter(({ isOpen }) => isOpen)).toEqual([]);
  const played = players.flatMap(({ bets }) => bets);
  expect(new Set(played).size).toBe(played.length);
  expect(rounds.map(({ id }) => Number(id)).sort()).toEqual([...played].sort());
}

const FORWARD = ['closed', 'settled', 'staged', 'switched', 'landed', 'finished'] as const satisfies MoveFailpoint[];
const BEFORE_THE_SWITCH = ['closed', 'settled', 'staged'] as const;
const BACK = ['opened', 'unstaged'] as const satisfies MoveFailpoint[];

async function withPlayers(
  operator: 'house' | 'acme',
  work: (players: { name: string; bets: number[] }[], names: string[]) => Promise<void>,
): Promise<void> {
  const players = Array.from({ length: 5 }, () => startPlayer(cells.newPlayer(operator), operator));
  await expect.poll(() => players.every(({ bets }) => bets.length > 2), { timeout: 30_000 }).toBe(true);
  await work(
    players,
    players.map(({ name }) => name),
  );
  // They play on wherever they are.
  const before = players.map(({ bets }) => bets.length);
  await expect
    .poll(() => players.every(({ bets }, at) => bets.length > (before[at] ?? 0)), { timeout: 30_000 })
    .toBe(true);
  await Promise.all(players.map((player) => player.stop()));
  for (const { db } of [cells.a, cells.b]) {
    await expect.poll(() => db.walletTransaction.count({ where: { state: 'pending' } }), { timeout: 30_000 }).toBe(0);
  }
  await expectWhole(players);
  await cells.expectBooks();
}

it.each(FORWARD.flatMap((crashAt) => [['house', crashAt] as const, ['acme', crashAt] as const]))(
  'players of %s move although the command is killed when a player is %s',
  async (operatorCode, crashAt) => {
    await withPlayers(operatorCode, async (_, externalIDs) => {
      expect(await runCommand({ operatorCode, externalIDs, crashAt, passes: 1 })).toEqual({ signal: 'SIGKILL' });
      await cells.expectBooks();
      const { result, error } = await runCommand({ operatorCode, externalIDs });
      expect({ error, left: result?.left }).toEqual({ error: undefined, left: [] });
      const moved = await cells.b.db.player.count({ where: { externalId: { in: externalIDs }, movedTo: null } });
      expect(moved).toBe(externalIDs.length);
      await cells.expectBooks();
    });
  },
);

it.each(BEFORE_THE_SWITCH.map((crashAt) => ['acme', crashAt] as const))(
  'players of %s stay although the command is killed when one is %s, and --back is killed, too',
  async (operatorCode, crashAt) => {
    await withPlayers(operatorCode, async (_, externalIDs) => {
      expect(await runCommand({ operatorCode, externalIDs, crashAt })).toEqual({ signal: 'SIGKILL' });
      await cells.expectBooks();
      for (const backAt of BACK) {
        const killed = await runCommand({ operatorCode, externalIDs, back: true, crashAt: backAt });
        // The last player of all may be opened without a failpoint after it.
        expect([{ signal: 'SIGKILL' }, { result: expect.anything() }]).toContainEqual(killed);
        await cells.expectBooks();
      }
      const { result } = await runCommand({ operatorCode, externalIDs, back: true });
      expect(result?.switched).toEqual([]);
      const unfinished = { state: { in: ['closed', 'staged', 'switched'] as ('closed' | 'staged' | 'switched')[] } };
      for (const { db } of [cells.a, cells.b]) expect(await db.cellMove.count({ where: unfinished })).toBe(0);
      expect(await cells.b.db.player.count({ where: { externalId: { in: externalIDs } } })).toBe(0);
    });
  },
);
