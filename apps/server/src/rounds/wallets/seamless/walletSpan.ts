import type { WalletRouteName } from '@roundhouse/contract';
import type { AnyResult } from '@roundhouse/dialects';
import type { TraceSpan } from '@roundhouse/service';
import type { WalletOperator } from '../../../store/operators/operators.ts';
import { isWalletFailure, storedResult } from './walletResult.ts';

type Sent = { operator: WalletOperator; name: WalletRouteName; body: object };

/**
 * Starts the span of a request to a wallet. It has no URL, which may contain a secret, and nothing
 * about the player.
 */
export function startWalletSpan(parent: TraceSpan, { operator, name, body }: Sent): TraceSpan {
  const { transactionID, roundID, rounds } = body as { transactionID?: string; roundID?: string; rounds?: object[] };
  return parent.child(`wallet ${name}`, {
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'roundhouse.operator': operator.code,
      'roundhouse.wallet_route': name,
      'roundhouse.transaction_id': transactionID,
      'roundhouse.round_id': roundID,
      'roundhouse.closings': rounds?.length,
    },
  });
}

/**
 * Adds the traceparent, so that the wallet may join the trace. Names and values of headers
 * alternate.
 */
export function withTraceparent(headers: string[], span: TraceSpan | undefined): string[] {
  return span === undefined ? headers : [...headers, 'traceparent', span.traceparent];
}

export function endWalletSpan(span: TraceSpan, name: WalletRouteName, result: AnyResult): void {
  const isLacking = result.kind === 'lacking';
  const { resultCode, httpStatus } = isLacking ? { resultCode: undefined, ...result } : storedResult(result);
  span.set({
    'roundhouse.result': result.kind,
    'roundhouse.result_code': resultCode,
    'http.response.status_code': httpStatus,
  });
  span.end(isWalletFailure(name, result) ? resultCode : undefined);
}
