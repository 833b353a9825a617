import type { Logger } from 'pino';
import type { Database } from '../ledger/database.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createCallSender } from './callSender.ts';
import { createDebitLeases } from './debitLeases.ts';
import { createFailureWarnings } from './failureWarnings.ts';
import { createHouseWallet } from './houseWallet.ts';
import { createOperatorDirectory } from './operatorDirectory.ts';
import { type RecoveryOptions, startRecovery } from './recovery.ts';
import { createSeamlessWallet } from './seamlessWallet.ts';
import { createVouching, type Vouching } from './vouching.ts';
import type { Wallet } from './wallet.ts';
import { createWalletChoice } from './walletChoice.ts';
import { type CallObserver, createWalletClient } from './walletClient.ts';
import type { Reached } from './walletPoints.ts';

/** Everything that moves money, put together. */
export type Money = {
  ledger: Ledger;
  wallet: Wallet;
  vouching: Vouching;
  /** Finishes what is being sent. */
  stop(): Promise<void>;
};

export type MoneyOptions = {
  db: Database;
  log: Logger;
  /** Without it this process gives up and repeats nothing. */
  recovery?: RecoveryOptions;
  reached?: Reached;
  observe?: CallObserver;
};

export async function createMoney({
  db,
  log,
  recovery: wanted,
  reached = () => {},
  observe = () => {},
}: MoneyOptions): Promise<Money> {
  const ledger = createLedger(db);
  const warn = createFailureWarnings(log);
  const client = createWalletClient({
    observe: (call) => {
      observe(call);
      warn(call);
    },
  });
  const operators = createOperatorDirectory(db);
  const onError = (error: unknown, callID: string) =>
    log.error({ err: error, callID }, 'a wallet call could not be sent; recovery will');
  const sender = createCallSender({ db, ledger, client, operators, reached, onError });
  const leases = createDebitLeases({ db, log });
  const recovery = wanted && (await startRecovery({ ...wanted, db, sender, leases, log }));
  const seamless = createSeamlessWallet({ db, ledger, client, operators, sender, leases, reached, log });
  return {
    ledger,
    wallet: createWalletChoice({ house: createHouseWallet(ledger), seamless }),
    vouching: createVouching(client),
    async stop() {
      await recovery?.stop();
      await sender.idle();
      await leases.stop();
      await client.close();
    },
  };
}
