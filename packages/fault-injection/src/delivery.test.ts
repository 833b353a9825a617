import http from 'node:http';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { post, startGuardedServer } from '../test/support/guardedServer.ts';

const MAX_BODY_BYTES = 256 * 1024;
/** These kinds send the call on. */
const DELIVERING = [
  { kind: 'lost_response' },
  { kind: 'malformed_response' },
  { kind: 'duplicate' },
  { kind: 'delay', delayMs: 1 },
  { kind: 'error', afterWork: true },
];

describe('what reaches the work', () => {
  it.each(DELIVERING)('is the call as it came, byte for byte, for %j', async (fault) => {
    const server = await startGuardedServer();
    const bytes = fc.uint8Array({ maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        server.faults.setPlan({ faults: [{ ...fault, next: 1 }] });
        const before = server.works.length;
        await post(`${server.url}/debit?a=1&b=%2F`, body, { 'x-signature': 'v1=ab' }).catch(() => undefined);
        await server.worked(before + (fault.kind === 'duplicate' ? 2 : 1));
        for (const work of server.works.slice(before)) {
          expect(work).toMatchObject({ method: 'POST', url: '/debit?a=1&b=%2F' });
          expect(work.headers['x-signature']).toBe('v1=ab');
          expect(work.body.equals(body)).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
  });

  it.each([0, 1, MAX_BODY_BYTES])('may be %i bytes', async (size) => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'duplicate', next: 1 }] });
    const body = Buffer.alloc(size, 'é');
    expect((await post(`${server.url}/debit`, body)).status).toBe(201);
    await server.worked(2);
    expect(server.works.every((work) => work.body.equals(body))).toBe(true);
  });

  it('is nothing of a body that is larger: the caller is cut off', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'malformed_response', next: 1 }] });
    await expect(post(`${server.url}/debit`, Buffer.alloc(MAX_BODY_BYTES + 1))).rejects.toThrow();
    expect(server.works).toHaveLength(0);
    expect((await post(`${server.url}/debit`, Buffer.alloc(MAX_BODY_BYTES + 1))).status).toBe(201);
  });

  it('is nothing of a call that did not arrive whole', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'malformed_response', next: 1 }] });
    const half = http.request(`${server.url}/debit`, { method: 'POST', headers: { 'Content-Length': 10 } });
    half.on('error', () => {});
    half.write('half');
    await expect.poll(() => server.faults.injected().malformed_response).toBe(1);
    half.destroy();
    await post(`${server.url}/debit`, 'next');
    expect(server.works.map(({ body }) => body.toString())).toEqual(['next']);
  });

  it('keeps what a mount point takes off the address', async () => {
    const server = await startGuardedServer({ mountedAt: '/wallet' });
    server.faults.setPlan({ faults: [{ kind: 'duplicate', path: '/debit', next: 1 }] });
    await post(`${server.url}/wallet/debit?q=1`);
    await server.worked(2);
    expect(server.works.map(({ url }) => url)).toEqual(['/debit?q=1', '/debit?q=1']);
  });

  it('comes by https where the caller came by https', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'elsewhere' }], { keySize: 2048 });
    const server = await startGuardedServer({ certificate: { key, cert } });
    server.faults.setPlan({ faults: [{ kind: 'duplicate', next: 1 }] });
    const status = await new Promise((resolve, reject) => {
      const call = server.request(`${server.url}/debit`, { method: 'POST', rejectUnauthorized: false, agent: false });
      call.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      call.end('money');
    });
    expect(status).toBe(201);
    await server.worked(2);
    expect(server.works.map(({ body }) => body.toString())).toEqual(['money', 'money']);
  });
});

describe('what reaches the caller', () => {
  it.each([{ kind: 'duplicate' }, { kind: 'delay', delayMs: 1 }])(
    'is the response as it was given, for %j',
    async (fault) => {
      const server = await startGuardedServer();
      server.faults.setPlan({ faults: [{ ...fault, next: 1 }] });
      const { status, headers, text } = await post(`${server.url}/debit`);
      const { number } = JSON.parse(text);
      expect(status).toBe(201);
      expect(text).toBe(`{"number":${number},"method":"POST","url":"/debit"}`);
      expect(headers.get('x-number')).toBe(String(number));
      expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    },
  );
});

describe('the header that lets a delivery pass', () => {
  it('is not the same for two switches, and is taken off before the work', async () => {
    const [one, other] = [await startGuardedServer(), await startGuardedServer()];
    const passes = new Set<unknown>();
    for (const server of [one, other]) {
      server.faults.setPlan({ faults: [{ kind: 'lost_response', next: 1 }] });
      await expect(post(`${server.url}/debit`)).rejects.toThrow();
      const pass = server.seen().map(({ headers }) => headers['x-roundhouse-fault-pass']);
      expect(pass).toEqual([undefined, expect.stringMatching(/^[\w-]{43}$/)]);
      passes.add(pass[1]);
      expect(server.works[0]?.headers).not.toHaveProperty('x-roundhouse-fault-pass');
    }
    expect(passes.size).toBe(2);
  });

  it('does not spare a caller who sends some value of it', async () => {
    const server = await startGuardedServer();
    server.faults.setPlan({ faults: [{ kind: 'lost_request', share: 1 }] });
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\w-]{0,60}$/), async (value) => {
        await expect(post(`${server.url}/debit`, '', { 'x-roundhouse-fault-pass': value })).rejects.toThrow();
      }),
      { numRuns: 20, examples: [[''], ['true'], ['undefined']] },
    );
    expect(server.works).toHaveLength(0);
  });
});
