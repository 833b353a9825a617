import { randomUUID } from 'node:crypto';
import { walletAuthenticateResponseSchema } from '@roundhouse/contract';
import { expectRefusal, expectSuccess } from './expectations.ts';
import type { WalletRule } from './rule.ts';
import { faultsOf } from './shape.ts';
import { CheckFailure, NotTestable } from './verdicts.ts';

export const AUTHENTICATE_RULES: readonly WalletRule[] = [
  {
    id: 'authenticate.shape',
    rule: 'A live session is answered with playerID, currency and balance.',
    async run(wallet) {
      const faults = faultsOf(walletAuthenticateResponseSchema, expectSuccess(await wallet.authenticate()));
      if (faults !== undefined) throw new CheckFailure(faults);
    },
  },
  {
    id: 'authenticate.same-player',
    rule: 'The same session is the same player in the same currency, however often it is asked.',
    async run(wallet) {
      const first = expectSuccess(await wallet.authenticate());
      const second = expectSuccess(await wallet.authenticate());
      for (const name of ['playerID', 'currency'] as const) {
        if (first[name] !== second[name]) {
          throw new CheckFailure(`${name} was ${JSON.stringify(first[name])}, then ${JSON.stringify(second[name])}`);
        }
      }
    },
  },
  {
    id: 'authenticate.unknown-session',
    rule: 'A session that is not known is ERR_IS.',
    async run(wallet) {
      const { gameID } = wallet.facts;
      expectRefusal(await wallet.call('authenticate', { sessionID: `unknown-${randomUUID()}`, gameID }), ['ERR_IS']);
    },
  },
  {
    id: 'authenticate.expired-session',
    rule: 'A session that has timed out is ERR_IS, one whose login has expired ERR_ATE.',
    async run(wallet) {
      const { expiredSessionID: sessionID, gameID } = wallet.facts;
      if (sessionID === undefined) throw new NotTestable('no --expired-session was given');
      expectRefusal(await wallet.call('authenticate', { sessionID, gameID }), ['ERR_IS', 'ERR_ATE']);
    },
  },
];
