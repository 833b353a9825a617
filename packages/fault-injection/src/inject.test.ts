import net from 'node:net';
import { FAULT_KINDS } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { post, startGuardedServer } from '../test/support/guardedServer.ts';

describe('error', () => {
  it('responds in the words of the wire, and no work is done', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'error', error: 'ERR_IPB', next: 1 }] });
    const response = await post(`${server.url}/debit`);
    expect([response.status, response.text]).toEqual([400, '{"error":"ERR_IPB"}']);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(server.works).toHaveLength(0);
  });

  it('without a code is a 500 without a code', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'error', next: 1 }] });
    const response = await post(`${server.url}/debit`);
    expect([response.status, response.text]).toEqual([500, '{}']);
  });

  it('after the work: the work is done, once', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'error', error: 'ERR_UE', afterWork: true, next: 1 }] });
    const response = await post(`${server.url}/debit`);
    expect([response.status, response.text]).toEqual([400, '{"error":"ERR_UE"}']);
    expect([server.works.length, server.answered()]).toEqual([1, 1]);
  });
});

describe('delay', () => {
  it('does the work late, and gives its response', async () => {
    const delayMs = 60;
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'delay', delayMs, next: 1 }] });
    const calledAt = performance.now();
    const late = post(`${server.url}/debit`, 'late');
    await server.worked(1);
    // A timer of Node may fire up to a millisecond early.
    expect(performance.now() - calledAt).toBeGreaterThan(delayMs - 2);
    expect((await late).status).toBe(201);
    expect(server.works.map(({ body }) => body.toString())).toEqual(['late']);
  });

  it('lets a later call overtake', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'delay', delayMs: 600_000, next: 1 }] });
    // It is cut when the server closes, long before its time.
    post(`${server.url}/debit`, 'first').catch(() => undefined);
    await expect.poll(() => server.faults.injected().delay).toBe(1);
    await post(`${server.url}/debit`, 'second');
    expect(server.works.map(({ body }) => body.toString())).toEqual(['second']);
  });

  it('does the work also for a caller who has hung up meanwhile', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'delay', delayMs: 1_000, next: 1 }] });
    const caller = new AbortController();
    const call = fetch(`${server.url}/debit`, { method: 'POST', body: 'late', signal: caller.signal });
    await expect.poll(() => server.faults.injected().delay).toBe(1);
    caller.abort();
    await expect(call).rejects.toThrow();
    expect(server.works).toHaveLength(0);
    await server.worked(1);
    expect(server.works[0]?.body.toString()).toBe('late');
  });
});

describe.each(['lost_response', 'silent_close'])('%s', (kind) => {
  it('does the work exactly once before the connection is cut', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind, next: 1 }] });
    await expect(post(`${server.url}/debit`, 'money')).rejects.toThrow();
    expect([server.works.length, server.answered()]).toEqual([1, 1]);
    await post(`${server.url}/debit`);
    expect(server.works).toHaveLength(2);
  });
});

describe('lost_request', () => {
  it('ends the connection, and no work is done', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'lost_request', next: 1 }] });
    await expect(post(`${server.url}/debit`, 'money')).rejects.toThrow();
    await post(`${server.url}/debit`, 'next');
    expect(server.works.map(({ body }) => body.toString())).toEqual(['next']);
  });
});

it.each([
  ['lost_response', 1],
  ['lost_request', 1],
  ['silent_close', 0],
])('%s sends %i bytes of a response before the connection ends', async (kind, bytes) => {
  const server = await startGuardedServer();
  server.faults.setPlan({ faults: [{ kind, next: 1 }] });
  const { port, host } = new URL(server.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(`POST /debit HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`);
  const read: Buffer[] = [];
  for await (const chunk of socket) read.push(chunk);
  expect(Buffer.concat(read)).toHaveLength(bytes);
});

describe('malformed_response', () => {
  it('does the work once and responds 200 with what is not JSON', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'malformed_response', next: 1 }] });
    const { status, text, headers } = await post(`${server.url}/debit`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(server.works).toHaveLength(1);
  });
});

describe('duplicate', () => {
  it('delivers twice at once and no more, and gives the response that comes first', async () => {
    // The first to arrive gets its response last: it waits until the second has got one.
    let respondFirst = () => {};
    const secondIsRead = new Promise<void>((resolve) => {
      respondFirst = resolve;
    });
    const server = await startGuardedServer({ beforeResponse: (number) => (number === 1 ? secondIsRead : undefined) });
    server.faults.setPlan({ faults: [{ kind: 'duplicate', next: 1 }] });
    const { text } = await post(`${server.url}/debit`, 'money');
    expect(JSON.parse(text).number).toBe(2);
    expect(server.works.map(({ body }) => body.toString())).toEqual(['money', 'money']);
    respondFirst();
    await expect.poll(() => server.answered()).toBe(2);
    await post(`${server.url}/debit`, 'next');
    expect(server.works).toHaveLength(3);
  });

  it('does not wait for the one to send the other', async () => {
    const server = await startGuardedServer({ beforeResponse: (_number, guarded) => guarded.worked(2) });
    server.faults.setPlan({ faults: [{ kind: 'duplicate', next: 1 }] });
    expect((await post(`${server.url}/debit`)).status).toBe(201);
  });
});

it.each(FAULT_KINDS.filter((kind) => kind !== 'delay'))('%s counts what it has met', async (kind) => {
  const server = await startGuardedServer();
  server.faults.setPlan({ faults: [{ kind, next: 2 }] });
  for (let call = 0; call < 3; call += 1) await post(`${server.url}/debit`).catch(() => undefined);
  const none = Object.fromEntries(FAULT_KINDS.map((each) => [each, 0]));
  expect(server.faults.injected()).toEqual({ ...none, [kind]: 2 });
});

it('a work that breaks off is a cut for the caller as well', async () => {
  const server = await startGuardedServer({
    beforeResponse: () => new Promise(() => {}),
  });
  server.faults.setPlan({ faults: [{ kind: 'malformed_response', next: 1 }] });
  const call = expect(post(`${server.url}/debit`)).rejects.toThrow();
  await server.worked(1);
  server.breakOff();
  await call;
});
