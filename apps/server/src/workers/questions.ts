/** Questions over a channel, each with a number under which its answer comes back. */
export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastID = 0;

  /** Never resolves when no answer comes: whoever asks knows for how long it waits. */
  ask(send: (id: number) => void): Promise<Answer> {
    this.#lastID += 1;
    const id = this.#lastID;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send(id);
    });
  }

  answered(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }
}
