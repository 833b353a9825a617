import { afterAll, beforeAll, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/testServer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
test('probe', async () => {
  const t0 = performance.now();
  const sessionID = await server.liveSession();
  const show = async (label: string, path: string, body: unknown, headers?: Record<string, string>) => {
    const a = await server.post(path, body, headers);
    console.log(label, a.status, a.text.slice(0, 300));
  };
  for (const raw of ['', '{', '[]', '"x"', 'null', '1', '{"a":1,"a":2}', '\ufeff{"sessionID":"x"}'])
    await show(raw, '/wallet/play', raw);
  for (const s of [undefined, '', null, 5, {}, [], true, 'a'.repeat(257), 'a'.repeat(256), '\u0000', '\ud800'])
    await show(`session ${String(s).slice(0, 10)}`, '/wallet/balance', { sessionID: s });
  for (const a of [
    '0',
    '-1',
    '1000000.5',
    '"1000000"',
    '1e300',
    '1e400',
    'NaN',
    '-0',
    '9007199254740992',
    'null',
    '[]',
    '{}',
    'true',
    '1000000.0',
    '1e6',
    '1000000.00000000001',
    '199999',
    '200001',
    '100100000',
  ])
    await show(`amount ${a}`, '/wallet/play', `{"sessionID":"${sessionID}","mode":"nope","amount":${a}}`);
  for (const m of [
    undefined,
    null,
    5,
    '',
    'NOPE',
    '\u0000',
    '\ud800',
    'a'.repeat(65),
    [],
    'ba\u017fe',
    '__proto__',
    ' BASE',
  ])
    await show(`mode ${m}`, '/wallet/play', { sessionID, amount: 1, mode: m });
  for (const e of [
    undefined,
    null,
    5,
    '',
    'a'.repeat(1025),
    '\u0000',
    '\ud800',
    [],
    {},
    '🎰'.repeat(1024),
    '🎰'.repeat(1025),
  ])
    await show(`event ${String(e).slice(0, 9)}`, '/bet/event', { sessionID, event: e });
  for (const k of ['', 'k'.repeat(129), 'é', 'k'.repeat(128)])
    await show(
      `key ${k.slice(0, 5)}`,
      '/wallet/play',
      { sessionID, amount: 1, mode: 'BASE' },
      { 'Idempotency-Key': k },
    );
  await show('gz', '/wallet/play', '{', { 'content-encoding': 'gzip' });
  await show('lzma', '/wallet/play', '{', { 'content-encoding': 'lzma' });
  await show('1MB', '/wallet/play', `{"a":"${'x'.repeat(1 << 20)}"}`);
  for (const b of [
    { currency: 'GBP' },
    { currency: 5 },
    { balance: -1 },
    { balance: '5' },
    { balance: 1.5 },
    { setBalance: -1 },
    { token: '\u0000' },
    { token: '' },
    { token: 'a'.repeat(129) },
    { token: 5 },
    { country: 'FIN' },
    { country: '' },
    { social: 'yes' },
    { gameID: 'x' },
    { gameID: '' },
    { gameID: 5 },
    { language: 5 },
    { device: '' },
    { currency: 'XXX', balance: -1 },
  ])
    await show(JSON.stringify(b), '/session/start', b);
  for (const b of [
    {},
    { mode: 'BASE' },
    { mode: 'BASE', search: {} },
    { mode: 'BASE', search: { bookID: 99 } },
    { mode: 'BASE', search: { bookID: -1 } },
    { mode: 'BASE', search: { bookID: '1x' } },
    { mode: 'NOPE', search: { bookID: 1 } },
    { mode: 'BASE', search: { bookID: 1 }, sessionID: 'nope' },
    { mode: 'BASE', search: null },
    { mode: 'BASE', search: { bookID: 1 }, gameID: 'x' },
  ])
    await show('search' + JSON.stringify(b), '/game/search', b);
  for (const b of [
    {},
    { sessionID, bookID: 99 },
    { sessionID, bookID: 1, mode: 'x' },
    { sessionID: 'x', bookID: 1 },
    { sessionID },
    { sessionID, bookID: -1 },
  ])
    await show('force' + JSON.stringify(b).slice(0, 20), '/game/force', b);
  for (const p of [
    '/bet/replay/fixture/1.0.0/BASE/%',
    '/bet/replay/fixture/1.0.0/%ff/1',
    '/bet/replay/fixture/1.0.0/BASE/01',
    '/%',
    '/fixture/1.0.0/%',
    '/fixture/1.0.0/%00',
    '/bet/replay/' + 'a'.repeat(9000),
    '/nope',
  ]) {
    const r = await fetch(server.url + p);
    console.log(p.slice(0, 50), r.status, (await r.text()).slice(0, 200));
  }
  for (const m of ['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']) {
    const r = await fetch(server.url + '/wallet/play', { method: m });
    console.log(m, r.status, (await r.text()).slice(0, 200), r.headers.get('allow'));
  }
  console.log(performance.now() - t0);
});
