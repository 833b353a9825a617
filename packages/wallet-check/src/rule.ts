import type { WalletUnderTest } from './walletUnderTest.ts';

/** One rule of the wallet protocol and the check of it. */
export type WalletRule = {
  /** `<group>.<name>`, stable: reports are compared by it. */
  id: string;
  /** What a right wallet does, in one sentence. */
  rule: string;
  /** Ends when the wallet obeys. Throws a CheckFailure when it does not, a NotTestable when that cannot be told. */
  run(wallet: WalletUnderTest): Promise<void>;
};
