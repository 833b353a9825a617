type Numbers = Float64Array | Uint32Array | BigUint64Array;
type Element<T> = T extends BigUint64Array ? bigint : number;

/**
 * A typed array that grows by doubling: 8 bytes an element, where an array of objects takes 50 to
 * 100.
 */
export class Growable<T extends Numbers> {
  length = 0;
  #values: T;
  readonly #allocate: (length: number) => T;

  constructor(allocate: (length: number) => T) {
    this.#allocate = allocate;
    this.#values = allocate(1024);
  }

  push(value: Element<T>): void {
    if (this.length === this.#values.length) {
      const larger = this.#allocate(this.length * 2);
      (larger as Float64Array).set(this.#values as Float64Array);
      this.#values = larger;
    }
    (this.#values as Float64Array)[this.length] = value as number;
    this.length += 1;
  }

  /** The elements so far, not copied: valid until the next push. */
  view(): T {
    return this.#values.subarray(0, this.length) as T;
  }
}
