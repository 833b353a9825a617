import { once } from 'node:events';
import { expect, it } from 'vitest';
import { linesOf } from './lines.ts';
import { createOnlyOne } from './onlyOne.ts';
import type { StreamLine } from './stream.ts';

const progress = (done: number): StreamLine => ({ kind: 'progress', done, total: null });
const RESULT: StreamLine = { kind: 'result' };

it('a progress that nobody has read gives way to the next one; lines and the result stay', async () => {
  const lines: StreamLine[] = [];
  const job = linesOf(async (emit) => {
    for (const done of [1, 2, 3]) emit(progress(done));
    emit({ kind: 'line' });
    for (const done of [4, 5]) emit(progress(done));
    return RESULT;
  });
  for await (const line of job) lines.push(line);
  expect(lines).toEqual([progress(3), { kind: 'line' }, progress(5), RESULT]);
});

it('a job is cancelled when its reader goes', async () => {
  let cancelled: Promise<unknown> | undefined;
  const job = linesOf(async (emit, signal) => {
    cancelled = once(signal, 'abort');
    emit(progress(1));
    await cancelled;
    signal.throwIfAborted();
    return RESULT;
  });
  for await (const line of job) {
    expect(line).toEqual(progress(1));
    break;
  }
  await cancelled;
});

it('an error of the job is that of the reader', async () => {
  const job = linesOf(async (emit) => {
    emit(progress(1));
    throw new Error('the database is away');
  });
  expect((await job.next()).value).toEqual(progress(1));
  await expect(job.next()).rejects.toThrow('the database is away');
});

it('of one key one job runs at a time, and the next one when it has ended or was given up', async () => {
  const onlyOne = createOnlyOne();
  const caller = {
    ...{ userID: 'a', email: 'a@x.example', name: 'a', role: 'finance' as const },
    hasSecondFactor: true,
    hasAuthenticator: true,
    passwordAlone: false,
  };
  const start = () =>
    onlyOne.run({ key: 'acme', what: 'it', caller: { ...caller, operator: undefined } }, async (emit, signal) => {
      emit(progress(1));
      await once(signal, 'abort');
      throw signal.reason;
    });
  const first = await start();
  if (first === undefined || 'status' in first) throw new Error('the first one was refused');
  expect(await start()).toMatchObject({ status: 409, body: { by: 'user:a@x.example', message: 'it runs already' } });
  const reader = first[Symbol.asyncIterator]();
  await reader.next();
  await reader.return?.(undefined);
  await expect.poll(async () => 'status' in (await start())).toBe(false);
});
