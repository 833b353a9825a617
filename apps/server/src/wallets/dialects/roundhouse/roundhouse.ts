import {
  isWalletErrorCode,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  signCall,
  TIMESTAMP_HEADER,
  WALLET_ERRORS,
  type WalletRouteName,
  walletContract,
} from '@roundhouse/contract';
import * as z from 'zod';
import type { WalletExchange } from '../../seamless/walletHttp.ts';
import type { AnyResult } from '../../seamless/walletResult.ts';
import type { Dialect } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';

const MS_PER_HOUR = 3_600_000;
const NOT_FOUND = 404;
const NO_SETTINGS = z.strictObject({});

/** The server's own wallet protocol. Its operators use the operator API. */
export const roundhouse: Dialect<z.output<typeof NO_SETTINGS>> = {
  traits: {
    closesWithDebit: false,
    groupsClosings: true,
    unknownDebitAfterMs: 0,
    rollbackAfterMs: 0,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'either',
  },
  settings: NO_SETTINGS,
  connect: ({ secrets: [secret = ''] }) => ({
    unitOf: () => 1,
    async send({ name, body: content }, post) {
      const { path } = walletContract[name];
      const body = JSON.stringify(content);
      const signed = signCall(
        { direction: 'to-operator', method: 'POST', path, body },
        { secret, nowSeconds: Math.floor(Date.now() / 1000) },
      );
      const headers = [
        'content-type',
        'application/json',
        'accept',
        'application/json',
        TIMESTAMP_HEADER,
        signed[TIMESTAMP_HEADER],
        NONCE_HEADER,
        signed[NONCE_HEADER],
        SIGNATURE_HEADER,
        signed[SIGNATURE_HEADER],
      ];
      return resultOf(name, await post({ path, headers, body }));
    },
  }),
};

/**
 * Reads the response by the contract. Anything but the success or a refusal with a known code is
 * uncertain.
 */
export function resultOf<Name extends WalletRouteName>(name: Name, exchange: WalletExchange): AnyResult<Name>;
export function resultOf(name: WalletRouteName, exchange: WalletExchange): AnyResult {
  if (exchange.kind === 'not_sent') return exchange;
  if (exchange.kind === 'failed') return { kind: 'uncertain', code: exchange.code, detail: exchange.detail };
  const { httpStatus, text } = exchange;
  if (httpStatus === NOT_FOUND && name === 'closeRounds') return { kind: 'lacking', httpStatus };
  const body = parseJson(text);
  if (httpStatus >= 200 && httpStatus < 300) {
    const parsed = walletContract[name].responses[200].safeParse(body);
    return parsed.success
      ? { kind: 'accepted', httpStatus, body: parsed.data }
      : { kind: 'uncertain', code: 'invalid_response', httpStatus, detail: `status ${httpStatus} with another body` };
  }
  const code = (body as { error?: unknown } | null | undefined)?.error;
  if (!isWalletErrorCode(code) && httpStatus === NOT_FOUND && name === 'transactions')
    return { kind: 'lacking', httpStatus };
  if (!isWalletErrorCode(code))
    return { kind: 'uncertain', code: 'invalid_response', httpStatus, detail: `status ${httpStatus} without a code` };
  return { kind: WALLET_ERRORS[code].certain ? 'refused' : 'uncertain', code, httpStatus };
}
