import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Batcher, type BatcherOptions, type ObservedBatch, Overload } from './batcher.ts';

type Command = { playerID: bigint; number: number };

/** Makes a database that responds on command; it counts a player in two batches at once. */
function createDatabase() {
  const batches: (readonly Command[])[] = [];
  const release: (() => void)[] = [];
  const busy = new Set<bigint>();
  let overlaps = 0;
  const run = async (commands: readonly Command[]) => {
    batches.push(commands);
    for (const { playerID } of commands) {
      if (busy.has(playerID)) overlaps += 1;
      busy.add(playerID);
    }
    await new Promise<void>((resolve) => release.push(resolve));
    for (const { playerID } of commands) busy.delete(playerID);
    return commands.map((command) => command.number);
  };
  return { batches, release, run, overlaps: () => overlaps };
}

type Options = Partial<BatcherOptions<Command, number>>;
const batcherOf = (run: BatcherOptions<Command, number>['run'], options: Options = {}) =>
  new Batcher<Command, number>({ name: 'test', keyOf: ({ playerID }) => playerID, run, ...options });

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets every batch finish, one after the other, until all have a result. */
async function finish<Result>(results: Promise<Result>[], release: (() => void)[]): Promise<Result[]> {
  const all = Promise.all(results);
  let isDone = false;
  void all.then(() => {
    isDone = true;
  });
  while (!isDone) {
    release.shift()?.();
    await turn();
  }
  return all;
}

describe('Batcher', () => {
  it('each batch is observed once, with its size, the wait of its oldest command and its time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const observed: ObservedBatch[] = [];
    let fails = false;
    const run = async (commands: readonly Command[]) => {
      vi.advanceTimersByTime(7);
      if (fails) throw new Error('the database is away');
      return commands.map(({ number }) => number);
    };
    const batcher = batcherOf(run, { observe: (batch) => observed.push(batch) });
    const first = batcher.submit({ playerID: 1n, number: 1 });
    vi.advanceTimersByTime(5);
    await Promise.all([first, batcher.submit({ playerID: 2n, number: 2 })]);
    fails = true;
    await expect(batcher.submit({ playerID: 1n, number: 3 })).rejects.toThrow('away');
    expect(observed).toEqual([
      { size: 2, waitedMs: 5, ranMs: 7, isFailed: false },
      { size: 1, waitedMs: 0, ranMs: 7, isFailed: true },
    ]);
  });

  it('gathers while each turn brings a command, for at most a millisecond', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { batches, release, run } = createDatabase();
    const batcher = batcherOf(run, { maxInFlight: 1 });
    const results: Promise<number>[] = [];
    const submit = () => results.push(batcher.submit({ playerID: BigInt(results.length), number: results.length }));
    const sizes = () => batches.map(({ length }) => length);
    const submitInTurns = async (turns: number, msEach: number) => {
      submit();
      for (let each = 0; each < turns; each += 1) {
        submit();
        await turn();
        vi.advanceTimersByTime(msEach);
      }
    };
    await submitInTurns(5, 0);
    expect(sizes()).toEqual([]);
    await turn();
    expect(sizes()).toEqual([6]);
    release.shift()?.();
    await turn();
    await submitInTurns(5, 0.4);
    expect(sizes()).toEqual([6, 5]);
    await finish(results, release);
  });

  it('a database error reaches every caller of its batch and nobody else', async () => {
    let calls = 0;
    const run = async (commands: readonly Command[]) => {
      calls += 1;
      if (calls === 1) throw new Error('gone');
      return commands.map(({ number }) => number);
    };
    const batcher = batcherOf(run, { maxBatchSize: 2, maxInFlight: 1 });
    const submitted = [1, 2, 3].map((number) => batcher.submit({ playerID: BigInt(number), number }));
    const results = await Promise.allSettled(submitted);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('a run that returns fewer results than it got commands is an error, not a caller left waiting', async () => {
    const batcher = batcherOf(async () => []);
    await expect(batcher.submit({ playerID: 1n, number: 1 })).rejects.toThrow('a batch of 1 got 0 results');
  });

  it('refuses one command more than may wait, and those that wait too long, without running them', async () => {
    const database = createDatabase();
    const batcher = batcherOf(database.run, { name: 'open round', maxInFlight: 1, maxWaiting: 2, maxWaitMs: 20 });
    const first = batcher.submit({ playerID: 1n, number: 1 });
    await turn();
    const others = [2, 3, 4].map((number) => batcher.submit({ playerID: 1n, number }));
    const [second, third, fourth] = await Promise.allSettled(others);
    expect(fourth).toMatchObject({ reason: new Overload('open round', '2 commands wait already') });
    for (const late of [second, third])
      expect(late).toMatchObject({ reason: new Overload('open round', 'a command has waited for 20 ms') });
    expect(batcher.oldestMs()).toBeGreaterThanOrEqual(20);
    expect(await finish([first], database.release)).toEqual([1]);
    expect(database.batches).toHaveLength(1);
    expect(batcher.oldestMs()).toBe(0);
  });

  it('leaves a command waiting that came later than one that has waited too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = createDatabase();
    const batcher = batcherOf(database.run, { maxInFlight: 1, maxWaitMs: 20 });
    const submit = (number: number) => batcher.submit({ playerID: 1n, number });
    const first = submit(1);
    await turn();
    const late = submit(2);
    vi.advanceTimersByTime(15);
    const inTime = submit(3);
    vi.advanceTimersByTime(10);
    await expect(late).rejects.toBeInstanceOf(Overload);
    expect(await finish([first, inTime], database.release)).toEqual([1, 3]);
  });

  it('refuses a new command at once while another one has waited too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = createDatabase();
    const batcher = batcherOf(database.run, { name: 'test', maxInFlight: 1, maxDelayMs: 50 });
    const submit = (number: number) => batcher.submit({ playerID: BigInt(number), number });
    const accepted = [submit(1)];
    await turn();
    vi.advanceTimersByTime(60);
    accepted.push(submit(2));
    vi.advanceTimersByTime(50);
    accepted.push(submit(3));
    vi.advanceTimersByTime(1);
    await expect(submit(4)).rejects.toThrow(new Overload('test', 'another command has waited for 50 ms'));
    expect(await finish(accepted, database.release)).toEqual([1, 2, 3]);
    expect(await finish([submit(5)], database.release)).toEqual([5]);
  });

  it('whatever arrives: each command gets its own result once, a player’s in order and one at a time', async () => {
    const arrival = fc.record({ player: fc.integer({ min: 1, max: 5 }), turns: fc.nat({ max: 2 }) });
    const arrivals = fc.array(arrival, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (commands, maxBatchSize, maxInFlight) => {
          const database = createDatabase();
          const batcher = batcherOf(database.run, { maxBatchSize, maxInFlight });
          const results: Promise<number>[] = [];
          const responded: number[] = [];
          for (const [number, { player, turns }] of commands.entries()) {
            const result = batcher.submit({ playerID: BigInt(player), number });
            results.push(result);
            void result.then(() => responded.push(number));
            for (let each = 0; each < turns; each += 1) await turn();
            if (turns === 2) database.release.shift()?.();
            expect(database.release.length).toBeLessThanOrEqual(maxInFlight);
          }
          expect(await finish(results, database.release)).toEqual(commands.map((_, number) => number));
          expect(database.overlaps()).toBe(0);
          const inOrder = (of: number) => responded.filter((number) => commands[number]?.player === of);
          for (const { player } of commands) expect(inOrder(player)).toEqual(inOrder(player).toSorted((a, b) => a - b));
          expect(database.batches.every((batch) => batch.length <= maxBatchSize)).toBe(true);
        },
      ),
    );
  });
});
