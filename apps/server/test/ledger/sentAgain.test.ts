import { expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/ledger.ts';
import { BET, type LedgerPlayer, losing, useLedger } from '../support/ledgerPlay.ts';

const database = useLedger({ seamless: 1 });

it('a play that is sent again is uncertain when recovery has made its round void meanwhile', async () => {
  const { db, ledger } = database;
  const player = database.players[0] as LedgerPlayer;
  let runs = 0;
  const losingLedger = createLedger(
    losing(db, async () => {
      runs += 1;
      if (runs > 1) return false;
      const { transactionId: transactionID } = await db.walletTransaction.findFirstOrThrow();
      await ledger.settleWalletTransaction({
        ...{
          playerID: player.playerID,
          transactionID,
          result: 'uncertain',
          settledBy: 'recovery',
          resultCode: 'node_lost',
        },
        ...{ httpStatus: undefined, resultDetail: undefined, settlementNote: undefined },
        ...{ reportedBalance: undefined, rollbackID: undefined, reference: undefined },
      });
      return true;
    }),
  );
  expect(await losingLedger.openRound({ ...BET, ...player })).toEqual({ ok: false, refusal: 'wallet_uncertain' });
});
