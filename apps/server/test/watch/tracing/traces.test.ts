import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOUSE, launchBody, operatorClient } from '../../operators/api/operatorClient.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { BET, useTestServer } from '../../support/testServer.ts';
import { drawTraces, type OtlpReceiver, startOtlpReceiver } from './otlpReceiver.ts';
import { startTracedNode, startTracedWallet } from './tracedServer.ts';

const server = useTestServer({ recovery: true });
let receiver: OtlpReceiver;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
beforeEach(() => receiver.forget());
afterAll(() => receiver.close());

/** Spans of one trace may arrive one after the other. */
const expectTrace = (root: string, lines: string[]) =>
  expect.poll(() => drawTraces(receiver.traceOf(root)), { interval: 20 }).toEqual(lines);

const json = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
const protobuf = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });

it('a play on the house wallet is one trace: request, wait, batch', async () => {
  const node = await startTracedNode(server, json());
  const sessionID = await node.liveSession();
  const { body } = await node.play(sessionID);
  await expectTrace('POST /wallet/play', [
    'A',
    '  POST /wallet/play',
    '    wait open_rounds ~> A/batch open_rounds',
    '    batch open_rounds ~> A/POST /wallet/play',
  ]);
  const root = await receiver.find('POST /wallet/play');
  expect(root).toMatchObject({ kind: 2, parentID: '', isError: false });
  expect(root.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/wallet/play',
    'http.response.status_code': 200,
    'roundhouse.game': 'fixture',
    'roundhouse.currency': 'USD',
    'roundhouse.round_id': String(body.round.betID),
    'roundhouse.replayed': false,
  });
  const [batch] = receiver.named('batch open_rounds');
  expect(batch?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'open_rounds',
    'db.operation.batch.size': 1,
  });
  expect(root.resource).toMatchObject({
    'service.name': 'roundhouse',
    'service.version': '1.2.3',
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'process.pid': process.pid,
  });
  expect(receiver.requests[0]?.contentType).toBe('application/json');
});

it('a refusal has its code, and is not a failure of the server', async () => {
  const node = await startTracedNode(server, json());
  const sessionID = await node.liveSession();
  await node.play(sessionID, { amount: 1 });
  const root = await receiver.find('POST /wallet/play');
  expect(root.attributes).toMatchObject({ 'http.response.status_code': 400, 'error.type': 'ERR_VAL' });
  expect(root.isError).toBe(false);
});

it('a batch is in the trace of its first play, with links to all; each wait has a link to it', async () => {
  const node = await startTracedNode(server, json());
  const sessions = await Promise.all(Array.from({ length: 8 }, () => node.liveSession()));
  receiver.forget();
  await Promise.all(sessions.map((sessionID) => node.play(sessionID)));
  await receiver.find('POST /wallet/play', sessions.length);
  const batches = receiver.named('batch open_rounds');
  const waits = receiver.named('wait open_rounds');
  const roots = receiver.named('POST /wallet/play');
  const sizes = batches.map(({ attributes }) => Number(attributes['db.operation.batch.size']));
  expect(sizes.reduce((sum, size) => sum + size)).toBe(sessions.length);
  expect(batches.map(({ links }) => links.length)).toEqual(sizes);
  const linked = batches.flatMap(({ links }) => links.map(({ spanID }) => spanID));
  expect(linked.sort()).toEqual(roots.map(({ spanID }) => spanID).sort());
  for (const batch of batches) {
    const first = roots.find(({ spanID }) => spanID === batch.parentID);
    expect(batch.links[0]).toEqual({ traceID: first?.traceID, spanID: first?.spanID });
  }
  const batchIDs = new Set(batches.map(({ spanID }) => spanID));
  expect(waits.every(({ links: [link] }) => batchIDs.has(link?.spanID ?? ''))).toBe(true);
});

it('a seamless play has its debit, its settlement and its closing; the wallet gets each traceparent', async () => {
  const { traceparents } = await startTracedWallet(server, 'acme');
  const node = await startTracedNode(server, protobuf(), { recovery: { sweepMs: 100 } });
  const sessionID = `acme:${randomUUID()}:ann`;
  await node.authenticate(sessionID);
  await expectTrace('POST /wallet/authenticate', [
    'A',
    '  POST /wallet/authenticate',
    '    wait session look-up ~> A/batch session look-up',
    '    batch session look-up ~> A/POST /wallet/authenticate',
    '    verify session',
    '      wallet authenticate',
    '      wait session look-up ~> A/batch session look-up',
    '      batch session look-up ~> A/verify session',
    '    wait authenticate_sessions ~> A/batch authenticate_sessions',
    '    batch authenticate_sessions ~> A/POST /wallet/authenticate',
  ]);

  await node.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
  await expectTrace('POST /wallet/play', [
    'A',
    '  POST /wallet/play',
    '    wait open_rounds ~> A/batch open_rounds',
    '    batch open_rounds ~> A/POST /wallet/play',
    '    wallet debit',
    '    wait accept_debits ~> A/batch accept_debits',
    '    batch accept_debits ~> A/POST /wallet/play',
    '    close rounds ~> A/POST /wallet/play',
    '      wallet closeRounds',
    '      wait settle_closings ~> A/batch settle_closings',
    '      batch settle_closings ~> A/close rounds',
  ]);
  const [debit] = receiver.named('wallet debit');
  expect(debit).toMatchObject({ kind: 3 });
  expect(debit?.attributes).toMatchObject({
    'roundhouse.operator': 'acme',
    'roundhouse.wallet_route': 'debit',
    'roundhouse.result': 'accepted',
    'roundhouse.transaction_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'http.response.status_code': 200,
  });

  await node.playBook(sessionID, BOOK.pays150);
  await node.endRound(sessionID);
  await expectTrace('POST /wallet/end-round', [
    'A',
    '  POST /wallet/end-round',
    '    wait end_rounds ~> A/batch end_rounds',
    '    batch end_rounds ~> A/POST /wallet/end-round',
    '    wallet credit',
    '    wait settle_wallet_transactions ~> A/batch settle_wallet_transactions',
    '    batch settle_wallet_transactions ~> A/POST /wallet/end-round',
  ]);
  const credit = receiver.named('wallet credit')[0];
  expect(traceparents.find(({ path }) => path === '/credit')?.traceparent).toBe(
    `00-${credit?.traceID}-${credit?.spanID}-01`,
  );
  expect(traceparents.every(({ traceparent }) => traceparent !== undefined)).toBe(true);
  expect(receiver.requests[0]?.contentType).toBe('application/x-protobuf');
});

it('a launch is traced', async () => {
  await server.db.operator.update({ where: { code: 'house' }, data: { secrets: [HOUSE.secret] } });
  const node = await startTracedNode(server, json());
  await operatorClient(node.url, HOUSE).launch(launchBody());
  await expectTrace('POST /operator/sessions', ['A', '  POST /operator/sessions', '    launch session']);
  expect(receiver.named('launch session')[0]?.attributes).toMatchObject({
    'roundhouse.operator': 'house',
    'roundhouse.game': 'fixture',
  });
});

const CALLER = { traceID: 'ab'.repeat(16), spanID: 'cd'.repeat(8) };
const traceparent = `00-${CALLER.traceID}-${CALLER.spanID}-01`;

it.each([
  [['loopback'], CALLER.traceID],
  [[], undefined],
])('with trusted proxies %j a traceparent of the caller gives trace %s', async (trustedProxies, expected) => {
  const node = await startTracedNode(server, json(), { trustedProxies });
  await node.post('/wallet/play', { ...BET, sessionID: 'unknown' }, { traceparent });
  const root = await receiver.find('POST /wallet/play');
  if (expected === undefined) expect([root.traceID === CALLER.traceID, root.parentID]).toEqual([false, '']);
  else expect(root).toMatchObject({ traceID: expected, parentID: CALLER.spanID });
});

it('OTEL_PROPAGATORS=none ignores the caller, also a trusted one', async () => {
  const node = await startTracedNode(server, { ...json(), OTEL_PROPAGATORS: 'none' }, { trustedProxies: ['loopback'] });
  await node.post('/wallet/play', { ...BET, sessionID: 'unknown' }, { traceparent });
  expect((await receiver.find('POST /wallet/play')).traceID).not.toBe(CALLER.traceID);
});

it('with ratio 0 nothing is exported, and the wallet gets no traceparent', async () => {
  const { traceparents } = await startTracedWallet(server, 'quiet');
  const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  const keptBefore = await server.db.roundTrace.count();
  const node = await startTracedNode(server, { ...json(), ...none });
  const sessionID = `quiet:${randomUUID()}:ann`;
  await node.authenticate(sessionID);
  await node.playBook(sessionID, BOOK.pays150);
  await node.endRound(sessionID);
  await node.close();
  expect(receiver.requests).toEqual([]);
  expect(traceparents.map((each) => each.traceparent)).toEqual(traceparents.map(() => undefined));
  expect(traceparents.length).toBeGreaterThan(2);
  expect(await server.db.roundTrace.count()).toBe(keptBefore);
});

it('a ratio samples about that part of the requests', async () => {
  const half = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
  const node = await startTracedNode(server, { ...json(), ...half });
  const sent = 200;
  await Promise.all(Array.from({ length: sent }, () => node.balance('unknown')));
  await node.close();
  const traced = receiver.named('POST /wallet/balance').length;
  // A correct sampler is outside of these bounds in less than one run of a million.
  expect(traced).toBeGreaterThan(60);
  expect(traced).toBeLessThan(140);
});

it('the lines of a traced request have its trace and span; without tracing they have none', async () => {
  const node = await startTracedNode(server, json());
  const lineOf = async (client: Pick<typeof node, 'post'>) => {
    const requestId = randomUUID();
    await client.post('/wallet/balance', { sessionID: 'unknown' }, { 'X-Request-Id': requestId });
    const line = () => server.logged().find((each) => each.requestId === requestId);
    await expect.poll(line).toBeDefined();
    return line();
  };
  const traced = await lineOf(node);
  const { traceID, spanID } = await receiver.find('POST /wallet/balance');
  expect(traced).toMatchObject({ trace_id: traceID, span_id: spanID });
  const plain = await lineOf(server);
  expect([plain.trace_id, plain.span_id]).toEqual([undefined, undefined]);
});

it('the failure of a wallet is logged with the span of its request', async () => {
  const { wallet } = await startTracedWallet(server, 'failing');
  const node = await startTracedNode(server, json());
  const sessionID = `failing:${randomUUID()}:ann`;
  await node.authenticate(sessionID);
  wallet.next('/debit', { kind: 'refuse', code: 'ERR_UE' });
  await node.playBook(sessionID, BOOK.pays150);
  const debit = await receiver.find('wallet debit');
  expect(debit).toMatchObject({ isError: true, attributes: { 'error.type': 'ERR_UE' } });
  const line = server
    .logged()
    .find(({ msg, operator }) => msg === 'the wallet of an operator fails' && operator === 'failing');
  expect(line).toMatchObject({ trace_id: debit.traceID, span_id: debit.spanID });
});
