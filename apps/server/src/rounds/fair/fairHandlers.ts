import {
  type ClientSeedResponse,
  FAIRNESS_ROUTES,
  fairnessContract,
  MAX_REVEALED_SEEDS,
  type RevealedSeed,
} from '@roundhouse/contract';
import { Batcher } from '@roundhouse/service';
import type { Response, Router } from 'express';
import { bodyRouter, type Handlers } from '../../base/http/endpoints.ts';
import { type ErrorResponse, errorResponse, ok } from '../../base/http/responses.ts';
import type { Refused } from '../../base/refusal.ts';
import { type FairSeedRecord, findFairRound, findFairSeed, judgeReader } from '../../store/rounds/fairRounds.ts';
import { revealedSeeds } from '../../store/rounds/fairSeeds.ts';
import { type InSessionDeps, inSession, type Unrefused } from '../sessions/inSession.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { createExportSlots } from './exportSlots.ts';
import { type DocumentDeps, exportText, NoMath, openExport, proofOf } from './fairDocument.ts';
import { fairnessOf } from './fairness.ts';
import { changeClientSeed, rotateFairSeeds, startFairSeeds } from './fairSeeds.ts';

export type FairDeps = InSessionDeps & DocumentDeps;

/** Serves the seeds and proofs of sessions with provably fair draws. */
export function fairRouter(deps: FairDeps): Router {
  const paths = Object.values(FAIRNESS_ROUTES).map(({ path }) => path);
  return bodyRouter(paths, fairnessContract, fairHandlers(deps));
}

type FairRequest = Parameters<typeof inSession>[1];

/**
 * The number of these requests that a process handles at the same time, so that players keep their
 * connections.
 */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 1_000;
const LONGEST_DELAY_MS = 2_000;

type Work = () => Promise<unknown>;

/** Runs work one after the other. It throws Overload as the ledger does. */
function createQueue() {
  const queue = new Batcher<Work, unknown>({
    name: 'fairness',
    maxBatchSize: 1,
    maxInFlight: MOST_AT_ONCE,
    maxWaiting: MOST_WAITING,
    maxDelayMs: LONGEST_DELAY_MS,
    run: ([work]) => Promise.all([work?.()]),
  });
  return <Value>(work: () => Promise<Value>) => queue.submit(work) as Promise<Value>;
}

/**
 * The database judges each request before anything of the account is read. Each statement is short,
 * and the only state in memory is the queue and the count of the exports.
 */
function fairHandlers(deps: FairDeps): Handlers<typeof fairnessContract> {
  const { db } = deps;
  const exportSlots = createExportSlots();
  const inQueue = createQueue();

  /** `handle` is called for a session that has fair draws and may read. */
  const inFairSession = <Value extends Unrefused>(
    request: FairRequest,
    handle: (session: BearerSession & { accountID: bigint }) => Promise<Value | Refused>,
  ) =>
    inSession<Value | ErrorResponse>(deps, request, (session) =>
      inQueue(async () => {
        const judged = await judgeReader(db, session);
        if (!judged.ok) return judged;
        if (!session.isFair) return CERTIFIED;
        return handle({ ...session, accountID: judged.accountID });
      }),
    );

  /** A node without the books responds with a server error. */
  const withMath = async <Value>(work: () => Promise<Value>): Promise<Value | ErrorResponse> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NoMath) return errorResponse('ERR_GEN', error.message);
      throw error;
    }
  };

  return {
    seeds: (request) =>
      inFairSession(request, async (session) => {
        const fairness = fairnessOf(await startFairSeeds(db, session));
        const revealed = await revealedSeeds(db, { ...session, limit: MAX_REVEALED_SEEDS });
        return ok({ fairness, revealed: revealed.map(revealedOnWire) });
      }),

    clientSeed: (request) =>
      inFairSession(request, async ({ playerID, sessionRowID }) => {
        const { clientSeed } = request.body;
        const outcome = await changeClientSeed(db, { playerID, sessionRowID, clientSeed });
        return outcome.ok ? ok<ClientSeedResponse>({ fairness: fairnessOf(outcome.state) }) : outcome;
      }),

    rotate: (request) =>
      inFairSession(request, async ({ playerID, sessionRowID }) => {
        const { serverSeedHash, clientSeed } = request.body;
        const serverSeedSha256 = Buffer.from(serverSeedHash, 'hex');
        const outcome = await rotateFairSeeds(db, { playerID, sessionRowID, serverSeedSha256, clientSeed });
        if (!outcome.ok) return outcome;
        return ok({ revealed: revealedOnWire(outcome.revealed), fairness: fairnessOf(outcome.state) });
      }),

    proof: (request) =>
      inFairSession(request, async ({ accountID }) => {
        const round = await findFairRound(db, { accountID, betID: request.body.betID });
        if (round === undefined) return errorResponse('ERR_VAL', 'the player has no such round');
        if (round === 'certified') return errorResponse('ERR_VAL', 'the certified generator drew the round');
        if (round.isOpen) return errorResponse('ERR_VAL', 'the round is active: it has a proof when it is completed');
        return withMath(async () => ok(await proofOf(deps, round)));
      }),

    export: async (request) => {
      const found = await inFairSession(request, async ({ accountID, sessionRowID }) => {
        const { serverSeedHash } = request.body;
        const seed = await findFairSeed(db, { accountID, sha256: Buffer.from(serverSeedHash, 'hex') });
        if (seed === undefined) return errorResponse('ERR_VAL', 'the player has no such server seed');
        if (seed.nonces === undefined) return errorResponse('ERR_VAL', 'the server seed is not revealed yet');
        return { seed, sessionRowID };
      });
      return 'seed' in found ? exportOf(request.res, found) : found;
    },
  };

  /** It is outside the queue: it takes seconds, in short statements. */
  function exportOf(res: Response, { seed, sessionRowID }: { seed: FairSeedRecord; sessionRowID: bigint }) {
    exportSlots.take(sessionRowID, res);
    return withMath(async () => {
      const opened = await openExport(deps, seed, () => res.closed);
      const name = `roundhouse-fairness-${seed.serverSeedSha256.toString('hex').slice(0, FILE_NAME_DIGITS)}.json`;
      return { status: 200 as const, file: { name, text: exportText(deps, opened) } };
    });
  }
}

const FILE_NAME_DIGITS = 16;

const CERTIFIED: ErrorResponse = errorResponse('ERR_VAL', 'this session draws with the certified generator');

type Revealed = Awaited<ReturnType<typeof revealedSeeds>>[number];

function revealedOnWire({ serverSeed, serverSeedSha256, nonces, revealedAt }: Revealed): RevealedSeed {
  return {
    serverSeed,
    serverSeedHash: serverSeedSha256.toString('hex'),
    nonces: Number(nonces),
    revealedAt: revealedAt.toISOString(),
  };
}
