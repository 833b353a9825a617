import { createHash } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import fc from 'fast-check';
import { beforeAll } from 'vitest';
import type { OpenRoundCommand } from '../../src/ledger/commands.ts';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { voidRound } from '../../src/ledger/voidAndComplete.ts';
import { changeOperator } from '../../src/operators/settings/changeOperator.ts';
import { startSeamlessSession, startSession, type VerifiedSession } from '../../src/rounds/sessions/startSession.ts';
import { openRound } from '../../src/rounds/wallets/openRound.ts';
import type { Database, DatabaseOptions } from '../../src/store/database/database.ts';
import { setOperator } from '../../src/store/operators/operators.ts';
import { useDatabase } from './database.ts';
import { giveGrant } from './grants.ts';
import { SECRETS_KEY } from './roundhouse.ts';

export type LedgerPlayer = { playerID: bigint; sessionRowID: bigint };

/** A bet that loses and closes at once. */
export const BET: Omit<OpenRoundCommand, keyof LedgerPlayer> = {
  mode: 'BASE',
  costMultiplier: '1',
  amount: toMicros(1_000_000),
  debit: toMicros(1_000_000),
  bookID: 1,
  payoutMultiplier: 0n,
  payout: toMicros(0),
  autoClose: true,
  minimumRoundDurationMs: 0,
  playKey: undefined,
  walletDown: false,
  fairClientSeedID: undefined,
  fairNonce: undefined,
};

/** Players with a live session each, in an empty database without a server. */
export async function openPlayers(db: Database, count: number): Promise<LedgerPlayer[]> {
  await setOperator(db, 'house', {});
  const game = await db.game.create({ data: { code: 'game' } });
  await db.gameVersion.create({
    data: { gameId: game.id, version: '1.0.0', title: 'Game', mathSha256: '', currencies: ['USD'], jurisdiction: {} },
  });
  for (let index = 0; index < count; index += 1) {
    const started = await startSession(db, {
      tokenSha256: new Uint8Array(createHash('sha256').update(`player-${index}`).digest()),
      operatorCode: 'house',
      playerExternalID: `player-${index}`,
      currency: 'USD',
      gameID: 'game',
      gameVersion: '1.0.0',
      country: undefined,
      jurisdiction: {},
      openingBalance: toMicros(1_000_000_000),
      setBalanceTo: undefined,
    });
    if (!started.ok) throw new Error(started.refusal);
  }
  await db.session.updateMany({ data: { state: 'authenticated' } });
  const sessions = await db.session.findMany({ orderBy: { id: 'asc' } });
  return sessions.map(({ id, playerId }) => ({ sessionRowID: id, playerID: playerId }));
}

/** What the operator says of a balance. */
const AFTER_DEBIT = toMicros(70_000_000);
const AFTER_CREDIT = toMicros(80_000_000);

type Verified = Pick<VerifiedSession, 'tokenSha256' | 'operatorID' | 'externalID' | 'gameID'>;

/** Returns what an operator says of a session when it says no more than it must. */
export function verifiedSession(session: Verified): VerifiedSession {
  const unset = { launchCountry: undefined, country: undefined, limits: undefined, maxStake: undefined };
  return { currency: 'USD', gameVersion: '1.0.0', jurisdictions: [], ...unset, ...session };
}

/** Makes players of an operator that keeps the balances, in the game of openPlayers. */
async function openSeamlessPlayers(db: Database, count: number): Promise<LedgerPlayer[]> {
  const change = { walletUrl: 'http://127.0.0.1:9', walletTimeoutMs: 1_000 };
  await changeOperator(db, { code: 'acme', kind: 'add', change, makeSecret: () => 's'.repeat(40) });
  const { id: operatorID } = await db.operator.update({ where: { code: 'acme' }, data: { freeRounds: true } });
  for (let index = 0; index < count; index += 1) {
    const player = { tokenSha256: new Uint8Array(32).fill(index + 1), externalID: `seamless-${index}` };
    await startSeamlessSession(db, verifiedSession({ ...player, operatorID, gameID: 'game' }));
  }
  await db.session.updateMany({ data: { state: 'authenticated' } });
  const sessions = await db.session.findMany({ where: { player: { operatorId: operatorID } }, orderBy: { id: 'asc' } });
  return sessions.map(({ id, playerId }) => ({ sessionRowID: id, playerID: playerId }));
}

/** Returns a database whose connection is lost after a commit, when `isLost` says so. */
export function losing(db: Database, isLost: () => Promise<boolean>): Database {
  const lost = new Error('the response was lost');
  const query = async (config: never) => {
    const result = await db.pool.query(config);
    if (await isLost()) throw lost;
    return result;
  };
  const writer = { onError: () => {}, recover: async (error: unknown) => error === lost };
  return Object.create(db, { pool: { value: { query, writer } } }) as Database;
}

type DebitResult = 'accepted' | 'refused' | 'uncertain' | 'none';
/**
 * `pays` means twice the amount. `money` has what the bet costs and pays, in micros. `free` plays a
 * round of the player's newest grant, if one is left, with its amount. `fair` is a fair draw.
 */
type Play = {
  pays?: boolean;
  debit?: DebitResult;
  playKey?: string;
  amount?: number;
  money?: [number, number];
  free?: boolean;
  fair?: Pick<OpenRoundCommand, 'fairClientSeedID' | 'fairNonce'>;
};

/** Returns the fields of a bet that costs and pays these amounts, in micros. */
export function priced([debit, payout]: [debit: number, payout: number]) {
  const money = { amount: toMicros(debit), debit: toMicros(debit), payout: toMicros(payout) };
  return { ...money, payoutMultiplier: (BigInt(payout) * 100n) / BigInt(debit) };
}

const settlement = fc.constantFrom<DebitResult>('accepted', 'accepted', 'refused', 'uncertain', 'none');

const anyBet = { debit: settlement, amount: fc.constantFrom(1, 2, 50), free: fc.boolean() };

/** A grant of BET's mode, with a bet of this number of units. */
export type Given = { rounds?: number; amount?: number; automatic?: boolean; paidAtEnd?: boolean };

const anyGrant = {
  ...{ rounds: fc.integer({ min: 1, max: 3 }), amount: fc.constantFrom(1, 2) },
  ...{ automatic: fc.boolean(), paidAtEnd: fc.boolean() },
};

const TAKEN = ['expired', 'cancelled', 'declined'] as const;

/** A player, or the operator, may do these at any moment. */
export const anyAct = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('play' as const), pays: fc.boolean(), ...anyBet }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), credit: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ do: 'event' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'void' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('give' as const), ...anyGrant }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('take' as const), state: fc.constantFrom(...TAKEN) }),
  },
);

type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

/** Plays without a server: it uses only the commands of the ledger. */
export function ledgerPlay(db: Database, ledger: Ledger) {
  /** Returns the id of the round; undefined when the play was refused. */
  async function play(player: LedgerPlayer, { debit = 'accepted', playKey, amount = 1, ...given }: Play = {}) {
    const grant = given.free ? await openGrant(player) : undefined;
    const bet = grant === undefined ? BET.amount * amount : Number(grant.amountMicros);
    const money = given.money ?? [bet, given.pays ? 2 * bet : 0];
    const command = { ...BET, ...player, ...priced(money), ...given.fair, playKey, grantID: grant?.externalId };
    const opened = await openRound(ledger, command);
    if (!opened.ok) return undefined;
    if (opened.debitID !== undefined && debit === 'accepted') {
      const told = { reportedBalance: AFTER_DEBIT, reference: undefined };
      const taken = { transactionID: opened.debitID, httpStatus: 200, ...told };
      // Wallets of both kinds: one that closes a lost round with its debit, one that learns it
      // later.
      const closed = opened.roundID % 2n === 0n;
      const accepted = { ...taken, playerID: player.playerID, autoClose: true, walletTimeoutMs: 1_000, closed };
      const { closingID } = await (opened.grantID === undefined
        ? ledger.acceptDebit(accepted)
        : ledger.acceptFreeDebit(accepted));
      if (closingID !== undefined) await settle(player, closingID, 'accepted');
    } else if (opened.debitID !== undefined && debit !== 'none') await settle(player, opened.debitID, debit);
    return opened.roundID;
  }

  async function settle(
    player: Pick<LedgerPlayer, 'playerID'>,
    transactionID: string,
    result: Exclude<DebitResult, 'none'>,
  ) {
    const resultCode = ({ accepted: 'accepted', refused: 'ERR_IPB', uncertain: 'timeout' } as const)[result];
    await ledger.settleWalletTransaction({
      ...{ playerID: player.playerID, transactionID, result, settledBy: 'operator', resultCode },
      ...{ httpStatus: undefined, resultDetail: undefined, settlementNote: undefined },
      reportedBalance: result === 'accepted' ? AFTER_CREDIT : undefined,
      ...{ rollbackID: undefined, reference: undefined },
    });
  }

  async function end(player: LedgerPlayer, { credit = true } = {}) {
    const closed = await ledger.endRound(player);
    if (closed.ok && closed.credit && credit) await settle(player, closed.credit.transactionID, 'accepted');
  }

  /** Finds the newest grant of the player of which a round can be played. */
  async function openGrant({ playerID }: LedgerPlayer) {
    const isOpen = { left: { gt: 0 }, endedAt: null, expiresAt: { gt: new Date() } };
    const account = { playerId: playerID };
    return (await db.grant.findFirst({ where: { ...isOpen, account }, orderBy: { id: 'desc' } })) ?? undefined;
  }

  /** Returns the grantID. */
  async function give({ sessionRowID }: LedgerPlayer, given: Given = {}): Promise<string> {
    const { rounds = 1, amount = 1, automatic = false, paidAtEnd = false } = given;
    const session = await db.session.findUniqueOrThrow({ where: { id: sessionRowID } });
    const terms = { given: rounds, amountMicros: BigInt(BET.amount * amount), automatic, paidAtEnd };
    return giveGrant(db, { accountID: session.accountId, gameID: session.gameId, ...terms });
  }

  /** Takes what is left of the player's grants. */
  async function take({ playerID }: LedgerPlayer, state: (typeof TAKEN)[number]) {
    if (state === 'expired')
      await db.$executeRaw`
        UPDATE grants g SET expires_at = clock_timestamp() FROM accounts a
        WHERE a.id = g.account_id AND a.player_id = ${playerID} AND g.ended_at IS NULL AND g.expires_at > clock_timestamp()`;
    await db.$executeRaw`
      SELECT end_grants(ARRAY(
        SELECT g.id FROM grants g JOIN accounts a ON a.id = g.account_id WHERE a.player_id = ${playerID} AND g.ended_at IS NULL
      ), ${state}::grant_state)`;
    const [winnings] = await db.$queryRaw<{ id: string }[]>`
      SELECT transaction_id::text AS id FROM wallet_transaction_details
      WHERE player_id = ${playerID} AND kind = 'winnings' AND state = 'pending'`;
    if (winnings !== undefined) await settle({ playerID }, winnings.id, 'accepted');
  }

  async function act(player: LedgerPlayer, wanted: Act) {
    if (wanted.do === 'play') await play(player, wanted);
    if (wanted.do === 'end') await end(player, wanted);
    if (wanted.do === 'event') await ledger.recordEvent({ ...player, event: 'picked:1' });
    if (wanted.do === 'give') await give(player, wanted);
    if (wanted.do === 'take') await take(player, wanted.state);
    if (wanted.do !== 'void') return;
    const open = await db.round.findFirst({ where: { playerId: player.playerID, endedAt: null } });
    const owner = await db.player.findUniqueOrThrow({ where: { id: player.playerID } });
    if (open) await voidRound(db, { operatorID: owner.operatorId, roundID: open.id, reason: 'test' });
  }

  return { play, settle, end, give, take, act };
}

type Used = { db: Database; url: string; ledger: Ledger; players: LedgerPlayer[] } & ReturnType<typeof ledgerPlay>;

/** Opens the ledger of a test file, with this number of players of each wallet. */
export function useLedger({ house = 0, seamless = 0, ...options }: Partial<DatabaseOptions> & Counts): Used {
  const database = useDatabase({ secretsKey: SECRETS_KEY, ...options });
  const used = database as Used;
  beforeAll(async () => {
    const { db } = database;
    const players = [...(await openPlayers(db, house)), ...(await openSeamlessPlayers(db, seamless))];
    const ledger = createLedger(db);
    Object.assign(used, { ledger, players }, ledgerPlay(db, ledger));
  });
  return used;
}
type Counts = { house?: number; seamless?: number };
