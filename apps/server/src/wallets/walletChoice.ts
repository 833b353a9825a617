import type { BearerSession, Wallet } from './wallet.ts';

/** Each session to the wallet that keeps its player's money. */
export function createWalletChoice({ house, seamless }: { house: Wallet; seamless: Wallet }): Wallet {
  const of = ({ isSeamless }: BearerSession) => (isSeamless ? seamless : house);
  return {
    authenticate: (session) => of(session).authenticate(session),
    balance: (session) => of(session).balance(session),
    openRound: (session, bet) => of(session).openRound(session, bet),
    closeRound: (session) => of(session).closeRound(session),
  };
}
