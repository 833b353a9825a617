import { Overload } from '@roundhouse/service';
import type { CallingOperator } from './operatorSecrets.ts';
import type { WalletOperator } from './operators.ts';

/** An operator as the database had it at one moment. Each part is read when it is first needed. */
export type KnownOperator = {
  /** @throws SecretKeyError when its secrets cannot be decrypted. */
  caller(): Promise<CallingOperator | undefined>;
  /** undefined: the house keeps its players' money. */
  wallet(): Promise<WalletOperator | undefined>;
};

/**
 * Finds operators that requests name whose signature is not checked yet. Anybody may send any
 * number of them, so most cost the database nothing: a query reads the versions of all operators,
 * and an operator is read and its secrets decrypted when its version has changed.
 */
export type OperatorDirectory = {
  /** isFresh: read now. Otherwise there are many requests, and it was read in the last 100 ms. */
  find(code: string): Promise<{ known: KnownOperator | undefined; isFresh: boolean }>;
  /**
   * Waits for the next reading, which all that wait share. The same object as before: nothing has
   * changed.
   * @throws Overload when too many wait.
   */
  findFresh(code: string): Promise<KnownOperator | undefined>;
};

/** Operators by code; a version is another one after each change of the operator. */
export type OperatorVersions = ReadonlyMap<string, { operatorID: number; version: string }>;

export type OperatorDirectoryDeps = {
  versions(): Promise<OperatorVersions>;
  operator(code: string): Promise<CallingOperator | undefined>;
  walletOperator(operatorID: number): Promise<WalletOperator | undefined>;
};

/** `find` reads this number of times at once, and then once in READ_EVERY_MS. */
const BURST = 50;
const READ_EVERY_MS = 100;
/** Waiting callers share a reading. It begins at least this time after the one before. */
const WAIT_MS = 10;
/** Each waiting caller holds the body of a request in memory. */
const MOST_WAITING = 500;

export function createOperatorDirectory(deps: OperatorDirectoryDeps): OperatorDirectory {
  const entries = new Map<string, { version: string; known: KnownOperator }>();
  let last: OperatorVersions | undefined;
  let reading: Promise<unknown> | undefined;
  let next: Promise<void> | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  /** `find` reads again from then on. Each reading, also of `findFresh`, adds READ_EVERY_MS. */
  let dueMs = Number.NEGATIVE_INFINITY;
  let waiting = 0;

  const isDue = () => dueMs <= performance.now();

  /** Only one reading runs at a time. Callers that come before it begins share it. */
  const startNext = async (): Promise<void> => {
    await reading?.catch(() => {});
    const pauseMs = isDue() ? 0 : lastMs + WAIT_MS - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    next = undefined;
    lastMs = performance.now();
    const moved = Math.max(dueMs, lastMs - (BURST - 1) * READ_EVERY_MS) + READ_EVERY_MS;
    dueMs = Math.min(moved, lastMs + READ_EVERY_MS);
    const versions = deps.versions();
    reading = versions;
    last = await versions;
  };

  const entryOf = (code: string): KnownOperator | undefined => {
    const found = last?.get(code);
    if (found === undefined) {
      entries.delete(code);
      return undefined;
    }
    const { version, operatorID } = found;
    const entry = entries.get(code);
    if (entry?.version === version) return entry.known;
    const known = {
      caller: once(() => deps.operator(code)),
      wallet: once(() => deps.walletOperator(operatorID)),
    };
    entries.set(code, { version, known });
    return known;
  };

  const findFresh = async (code: string) => {
    if (waiting >= MOST_WAITING) throw new Overload('operator look-up', `${MOST_WAITING} requests wait already`);
    waiting += 1;
    try {
      next ??= startNext();
      await next;
    } finally {
      waiting -= 1;
    }
    return entryOf(code);
  };

  return {
    async find(code) {
      const isFresh = last === undefined || isDue();
      return { known: isFresh ? await findFresh(code) : entryOf(code), isFresh };
    },
    findFresh,
  };
}

/** A failure is not remembered. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
