import type { Database } from '../../src/ledger/database.ts';

/** A round to be written into the database, after the one before it. */
export type PlannedRound = {
  /** 0 and 1 are players of the operator, 2 and 3 of another one. */
  player: number;
  game: number;
  state: 'open' | 'settled' | 'void';
  idGap: number;
  laterMs: number;
  disorderMs: number;
};

export type Scene = Awaited<ReturnType<typeof createRounds>>;

const START_MS = Date.UTC(2026, 10, 21, 12);
const PLAYERS = ['anna', 'maria', 'anna', 'lena'];

/** Two operators with two players and two games, whose rounds a test writes as it likes: rows alone, without any money. */
export async function createRounds(db: Database, operatorCode: string) {
  const operator = await db.operator.findUniqueOrThrow({ where: { code: operatorCode } });
  const other = await db.operator.create({ data: { code: 'another', name: 'another' } });
  const games = await Promise.all(['first', 'second'].map((code) => addGame(db, code)));
  const accounts = await Promise.all(
    PLAYERS.map((externalId, index) => addPlayer(db, index < 2 ? operator.id : other.id, externalId)),
  );

  const timesOf = (rounds: readonly PlannedRound[]) => {
    let [id, ms] = [0, 0];
    return rounds.map((round) => {
      id += round.idGap;
      ms += round.laterMs;
      return { round, id, ms: ms + round.disorderMs };
    });
  };

  const write = async (written: ReturnType<typeof timesOf>) => {
    await db.round.createMany({
      data: written.map(({ round, id, ms }) => {
        const [account, game] = [accounts[round.player], games[round.game]];
        if (account === undefined || game === undefined) throw new Error('no such player or game');
        const openedAt = new Date(START_MS + ms);
        return {
          id,
          playerId: account.playerId,
          accountId: account.accountId,
          gameId: game.gameId,
          gameVersionId: game.versionId,
          sessionId: 1,
          mode: 'BASE',
          costMultiplier: 1,
          amountMicros: 1_000_000,
          debitMicros: 1_000_000,
          bookId: 1,
          payoutMultiplier: 0,
          payoutMicros: 0,
          openedAt,
          closedAt: round.state === 'open' ? null : openedAt,
          walletState: round.state === 'void' ? ('void' as const) : null,
        };
      }),
    });
  };

  return {
    operatorID: operator.id,
    startMs: START_MS,
    playerName: (player: number) => PLAYERS[player] ?? '',
    gameName: (game: number) => ['first', 'second', 'third'][game] ?? '',
    /** The id of each round, and its time after the start. */
    timesOf,
    /** The database has one open round of a player and game at most. */
    playable(rounds: readonly PlannedRound[]): PlannedRound[] {
      const taken = new Set<string>();
      return rounds.map((round) => {
        const key = `${round.player} ${round.game}`;
        const isOpen = round.state === 'open' && !taken.has(key);
        if (isOpen) taken.add(key);
        return round.state === 'open' && !isOpen ? { ...round, state: 'settled' } : round;
      });
    },
    /** These are all the rounds that there are now. */
    async replace(rounds: readonly PlannedRound[]): Promise<void> {
      await db.round.deleteMany();
      await write(timesOf(rounds));
    },
    /** One more, after those. */
    async append(rounds: readonly PlannedRound[], more: PlannedRound): Promise<void> {
      await write(timesOf([...rounds, more]).slice(-1));
    },
  };
}

async function addGame(db: Database, code: string) {
  const { id: gameId } = await db.game.create({ data: { code } });
  const version = { gameId, version: '1', title: code, mathSha256: code, currencies: ['USD'], jurisdiction: {} };
  const { id: versionId } = await db.gameVersion.create({ data: version });
  return { gameId, versionId };
}

async function addPlayer(db: Database, operatorId: number, externalId: string) {
  const { id: playerId } = await db.player.create({ data: { operatorId, externalId } });
  const data = { operatorId, playerId, kind: 'player' as const, currency: 'USD', balanceMicros: 0 };
  const { id: accountId } = await db.account.create({ data });
  return { playerId, accountId };
}
