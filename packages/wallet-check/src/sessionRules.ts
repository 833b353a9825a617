import { randomUUID } from 'node:crypto';
import { balanceAfterSchema, walletAuthenticateResponseSchema } from '@roundhouse/contract';
import { CheckFailure, issuesOf, NotTestable } from './exchange.ts';
import { askBalance, expectRefusal, expectSuccess, readBalance } from './steps.ts';
import type { WalletRule } from './walletUnderTest.ts';

/** A wallet without the request may respond with it, or with any status of 4xx. */
const NOT_IMPLEMENTED = 501;

export const HEALTH_RULES: readonly WalletRule[] = [
  {
    id: 'health.up',
    rule: 'GET /health gets a status of 2xx, without a signature.',
    async run(wallet) {
      const exchange = await wallet.health();
      if (exchange.kind !== 'responded') throw new CheckFailure(`/health got no response (${exchange.detail})`);
      const { httpStatus } = exchange;
      if (httpStatus >= 200 && httpStatus < 300) return;
      if (httpStatus < 500 || httpStatus === NOT_IMPLEMENTED)
        throw new NotTestable(`the wallet has no /health (${httpStatus}), which is optional`);
      throw new CheckFailure(`/health answered ${httpStatus}, expected 2xx`);
    },
  },
];

export const AUTHENTICATE_RULES: readonly WalletRule[] = [
  {
    id: 'authenticate.shape',
    rule: 'A live session is answered with playerID, currency and balance.',
    async run(wallet) {
      const issues = issuesOf(walletAuthenticateResponseSchema, expectSuccess(await wallet.authenticate()));
      if (issues !== undefined) throw new CheckFailure(issues);
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

export const BALANCE_RULES: readonly WalletRule[] = [
  {
    id: 'balance.shape',
    rule: 'The balance is a whole number of micros.',
    async run(wallet) {
      const issues = issuesOf(balanceAfterSchema, expectSuccess(await askBalance(wallet)));
      if (issues !== undefined) throw new CheckFailure(issues);
    },
  },
  {
    id: 'balance.equal',
    rule: 'The balance is the one that authenticate tells.',
    async run(wallet) {
      const balance = await readBalance(wallet);
      const told = expectSuccess(await wallet.authenticate()).balance;
      if (told !== balance) throw new CheckFailure(`/authenticate tells ${told}, /balance ${balance}`);
    },
  },
];
