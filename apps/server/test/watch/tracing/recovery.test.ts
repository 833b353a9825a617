import { OPENING_BALANCE, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../../src/store/database/database.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { endProcesses, startCrashingNode } from '../../proofs/crash/crashingNode.ts';
import { createTestDatabase } from '../../support/database.ts';
import { BOOK, writeFixtureGame } from '../../support/fixtureGame.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import { clientOf, expectBooksBalance } from '../../support/testServer.ts';
import { drawTraces, startOtlpReceiver } from './otlpReceiver.ts';

const SHOWN = ['roundhouse.result_code', 'http.response.status_code'];

it('a node dies while the wallet hangs: the recovery by another node links to the play', async () => {
  const [database, game] = await Promise.all([createTestDatabase(), writeFixtureGame()]);
  const wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  const receiver = await startOtlpReceiver();
  const db = openDatabase({ url: database.url });
  onTestFinished(async () => {
    await endProcesses();
    await db.$disconnect();
    await Promise.all([database.drop(), game.remove(), wallet.close(), receiver.close()]);
  });
  await setOperator(db, 'house', {});
  await addSeamlessOperator(db, { code: 'acme', url: wallet.url, timeoutMs: 60_000 });
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '5' };
  const files = { databaseUrl: database.url, gameFolder: game.folder, storeFolder: game.storeFolder };
  const first = await startCrashingNode({ ...files, tracing });
  const sessionID = 'acme:1:ann';
  const player = clientOf(first.url);
  await player.authenticate(sessionID);

  wallet.next('/debit', { kind: 'hang', done: true });
  const playing = player.playBook(sessionID, BOOK.pays150).catch((error: unknown) => error);
  await vi.waitFor(() => expect(wallet.callsTo('/debit')).toHaveLength(1), { timeout: 100_000 });
  // The batch has left, and the link is stored; the spans of the request itself never end.
  await receiver.find('batch open_rounds');
  await expect.poll(() => db.roundTrace.count()).toBe(1);
  await first.kill();
  await playing;
  const [opened] = receiver.named('batch open_rounds');
  const play = { traceID: opened?.traceID, spanID: opened?.parentID };

  const second = await startCrashingNode({ ...files, tracing });
  const rolledBack = await receiver.find('recover rollback');
  await receiver.find('batch settle_wallet_transactions', 2);
  await expect.poll(() => wallet.balanceOf('ann')).toBe(OPENING_BALANCE);
  const recovered = receiver.spans.filter(({ name }) => name.startsWith('recover '));
  expect(recovered.map(({ name }) => name).sort()).toEqual(['recover debit', 'recover rollback']);
  for (const span of recovered) {
    expect(span.links).toEqual([play]);
    expect(span.parentID).toBe('');
    expect(span.traceID).not.toBe(play.traceID);
  }
  expect(rolledBack.resource['process.pid']).not.toBe(opened?.resource['process.pid']);
  const traces = new Set([play.traceID, ...recovered.map(({ traceID }) => traceID)]);
  const drawn = () =>
    drawTraces(
      receiver.spans.filter(({ traceID }) => traces.has(traceID)),
      SHOWN,
    );
  await expect
    .poll(drawn, { interval: 20 })
    .toEqual([
      'A',
      '  (a span that never ended)',
      '    wait open_rounds ~> A/batch open_rounds',
      '  (a span that never ended)',
      '    batch open_rounds ~> A/span that never ended',
      'B',
      '  recover debit ~> A/span that never ended',
      '    wait settle_wallet_transactions ~> B/batch settle_wallet_transactions',
      '    batch settle_wallet_transactions ~> B/recover debit',
      'C',
      '  recover rollback ~> A/span that never ended',
      '    wallet rollback roundhouse.result_code=accepted http.response.status_code=200',
      '    wait settle_wallet_transactions ~> C/batch settle_wallet_transactions',
      '    batch settle_wallet_transactions ~> C/recover rollback',
    ]);
  expect((await clientOf(second.url).authenticate(sessionID)).body.round).toEqual({});
  await expectBooksBalance(db);
});
