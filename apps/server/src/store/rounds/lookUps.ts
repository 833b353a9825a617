import { Batcher, type ObservedBatch, type TraceSpan } from '@roundhouse/service';
import { type BatchObserver, batchLimitsOf, type CommandOf } from '../database/batchCommand.ts';
import type { Database } from '../database/database.ts';
import { type CallingOperator, findCallingOperators } from '../operators/operatorSecrets.ts';
import { findWalletOperator, type WalletOperator } from '../operators/operators.ts';
import { type FoundMaintenance, maintenanceBeforeSessions } from './maintenance.ts';
import { type FoundSession, findSessions } from './sessions.ts';

/**
 * Look-ups serve callers that are still unknown. Anybody can cause any number of them, so they run
 * in batches, on separate connections, and a limited number may wait. They throw Overload.
 */
export type LookUps = {
  session(named: CommandOf<typeof findSessions>, trace?: TraceSpan): Promise<FoundSession>;
  /** tokenSha256 is the hash of the sessionID in the request, if there is one. */
  maintenance(tokenSha256: Buffer | undefined): Promise<FoundMaintenance | null>;
  /** Finds the operator that verifies a session. */
  walletOperator(operatorID: number): Promise<WalletOperator | undefined>;
  /** Finds the operator named in a request whose signature is not checked yet. */
  operator(code: string): Promise<CallingOperator | undefined>;
};

export function createLookUps(db: Database, observe: BatchObserver = () => {}): LookUps {
  const optionsOf = (name: string) => ({
    name,
    ...batchLimitsOf(db),
    maxInFlight: 1,
    observe: (batch: ObservedBatch) => observe(name, batch),
  });
  const anonymous = { pool: db.anonymous };
  const session = new Batcher({
    ...optionsOf('session look-up'),
    run: (named: readonly CommandOf<typeof findSessions>[]) => findSessions.run(anonymous, named),
  });
  const maintenance = new Batcher<Buffer | undefined, FoundMaintenance | null>({
    ...optionsOf('maintenance look-up'),
    run: (tokens) =>
      maintenanceBeforeSessions.run(
        anonymous,
        tokens.map((tokenSha256) => ({ tokenSha256 })),
      ),
  });
  // These two use the players' pool, at most one connection of it each.
  const walletOperator = new Batcher<number, () => WalletOperator | undefined>({
    ...optionsOf('wallet look-up'),
    run: (operatorIDs) => findWalletOperators(db, operatorIDs),
  });
  const operator = new Batcher<string, (() => CallingOperator) | undefined>({
    ...optionsOf('operator look-up'),
    run: (codes) => findCallingOperators(db, codes),
  });
  return {
    session: (named, trace) => session.submit(named, trace),
    walletOperator: async (operatorID) => (await walletOperator.submit(operatorID))(),
    operator: async (code) => (await operator.submit(code))?.(),
    maintenance: (tokenSha256) => maintenance.submit(tokenSha256),
  };
}

/**
 * Reads each operator once, one after the other. An operator that cannot be read fails only its own
 * callers.
 */
async function findWalletOperators(
  db: Database,
  operatorIDs: readonly number[],
): Promise<(() => WalletOperator | undefined)[]> {
  const found = new Map<number, () => WalletOperator | undefined>();
  for (const operatorID of new Set(operatorIDs)) {
    const read = findWalletOperator(db, { operatorID }).then(
      (operator) => () => operator,
      (error: unknown) => () => {
        throw error;
      },
    );
    found.set(operatorID, await read);
  }
  return operatorIDs.map((operatorID) => found.get(operatorID) ?? (() => undefined));
}
