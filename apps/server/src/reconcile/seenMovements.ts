import type { WalletMovement } from '../ledger/queries/walletMovements.ts';

const ROUNDS_PER_CHUNK = 1024;
const BITS = { debit: 1, credit: 2, rollback: 4 } as const;

type Place = Pick<WalletMovement, 'roundID' | 'kind'>;

/**
 * Which movements the operator's list has shown. A round has at most one of each kind and rounds are numbered, so each is a bit: ten million
 * rounds fit into ten megabytes, where their transactionIDs would take a thousand.
 */
export class SeenMovements {
  readonly #chunks = new Map<number, Uint8Array>();

  has({ roundID, kind }: Place): boolean {
    const { chunk, index } = placeOf(roundID);
    return ((this.#chunks.get(chunk)?.[index] ?? 0) & BITS[kind]) !== 0;
  }

  add({ roundID, kind }: Place): void {
    const { chunk, index } = placeOf(roundID);
    const bits = this.#chunks.get(chunk) ?? new Uint8Array(ROUNDS_PER_CHUNK);
    bits[index] = (bits[index] ?? 0) | BITS[kind];
    this.#chunks.set(chunk, bits);
  }
}

function placeOf(roundID: bigint): { chunk: number; index: number } {
  const size = BigInt(ROUNDS_PER_CHUNK);
  return { chunk: Number(roundID / size), index: Number(roundID % size) };
}
