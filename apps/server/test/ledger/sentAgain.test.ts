import { expect, it } from 'vitest';
import type { Database } from '../../src/ledger/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { BET, type LedgerPlayer, useLedger } from '../support/ledgerPlay.ts';

const database = useLedger({ seamless: 1 });

it('a play that is sent again is uncertain when recovery has made its round void meanwhile', async () => {
  const { db } = database;
  const player = database.players[0] as LedgerPlayer;
  const lost = new Error('the response was lost');
  let isFirst = true;
  const query = async (config: never) => {
    const result = await db.pool.query(config);
    if (!isFirst) return result;
    isFirst = false;
    const { transactionId: transactionID } = await db.walletTransaction.findFirstOrThrow();
    await createLedger(db).settleWalletTransaction({
      ...{
        playerID: player.playerID,
        transactionID,
        result: 'uncertain',
        settledBy: 'recovery',
        resultCode: 'node_lost',
      },
      ...{ httpStatus: undefined, resultDetail: undefined, settlementNote: undefined, reportedBalance: undefined },
    });
    throw lost;
  };
  const writer = { recover: async (error: unknown) => error === lost };
  const ledger = createLedger(Object.create(db, { pool: { value: { query, writer } } }) as Database);
  expect(await ledger.openRound({ ...BET, ...player })).toEqual({ ok: false, refusal: 'wallet_uncertain' });
});
