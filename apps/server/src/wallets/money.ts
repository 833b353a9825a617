import type { Logger } from 'pino';
import type { Database } from '../ledger/database.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createHouseWallet } from './houseWallet.ts';
import { createCallSender } from './seamless/callSender.ts';
import { createDebitLeases } from './seamless/debitLeases.ts';
import type { Reached } from './seamless/failpoints.ts';
import { createFailureWarnings } from './seamless/failureWarnings.ts';
import { createOperatorDirectory } from './seamless/operatorDirectory.ts';
import { type RecoveryOptions, startRecovery } from './seamless/recovery.ts';
import { createSeamlessWallet } from './seamless/seamlessWallet.ts';
import { type CallObserver, createWalletClient, type WalletClient } from './seamless/walletClient.ts';
import type { Wallet } from './wallet.ts';
import { createWalletChoice } from './walletChoice.ts';

/** Everything that moves money, put together. */
export type Money = {
  ledger: Ledger;
  wallet: Wallet;
  /** Calls operators' wallets; whose a session is, is asked through it too. */
  walletClient: WalletClient;
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
    walletClient: client,
    async stop() {
      await recovery?.stop();
      await sender.idle();
      await leases.stop();
      await client.close();
    },
  };
}
