import {
  type adminStreamContract,
  MAX_DIFFERENCES_SHOWN,
  MAX_RECONCILED_DAYS,
  type ReconcileLine,
  type ReconcileResult,
  type StreamError,
  type StreamProgress,
} from '@roundhouse/contract/admin';
import { MS_PER_DAY } from '../../base/durations.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { errorResponse, notFoundResponse } from '../../base/http/responses.ts';
import { type Difference, transactionIDOf } from '../../operators/reconcile/comparison.ts';
import { reconcile } from '../../operators/reconcile/reconcile.ts';
import { walletList } from '../../operators/reconcile/walletList.ts';
import { explainRefusal, whatIsWrong } from '../../operators/reconcile/wording.ts';
import { createWalletClient } from '../../rounds/wallets/seamless/walletClient.ts';
import { findWalletOperator, type WalletOperator } from '../../store/operators/operators.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { createOnlyOne } from './onlyOne.ts';
import { pathScope } from './operatorScope.ts';
import type { StreamHandlers, StreamLine } from './stream.ts';

type Emit = (line: StreamLine) => void;
type Compared = { operator: WalletOperator; from: Date | undefined; to: Date | undefined };

/** Compares as `roundhouse reconcile` does, by the same functions. */
export function reconcileHandlers({
  db,
}: AdminDeps): Pick<StreamHandlers<typeof adminStreamContract>, 'reconcileOperator'> {
  const onlyOne = createOnlyOne();
  return {
    reconcileOperator: async ({ params: { operator: code }, body, res }) => {
      if ((await pathScope(db, res, code)) === undefined) return notFoundResponse('there is no such operator');
      const [from, to] = [body.from, body.to].map((text) => (text === undefined ? undefined : new Date(text)));
      if (isTooLong(from, to)) {
        return errorResponse(
          'ERR_VAL',
          `a comparison is of ${MAX_RECONCILED_DAYS} days at most; the command has no limit`,
        );
      }
      const operator = await findWalletOperator(db, { code });
      if (operator === undefined) {
        const message = `operator ${code} has the house wallet, so it has no list to compare`;
        throw new InvalidRequest(message, { operator: message });
      }
      return onlyOne.run(
        { key: code, what: `a comparison of operator ${code}`, caller: callerOf(res) },
        (emit, signal) => compare({ operator, from, to }, emit, signal),
      );
    },
  };

  async function compare({ operator, from, to }: Compared, emit: Emit, signal: AbortSignal): Promise<StreamLine> {
    const client = createWalletClient();
    let [differences, unsettled] = [0, 0];
    try {
      const { operatorID, code } = operator;
      const outcome = await reconcile({
        books: [{ db, operatorID }],
        from,
        to,
        signal,
        list: walletList(client, operator),
        onDifference(difference) {
          differences += 1;
          if (differences <= MAX_DIFFERENCES_SHOWN) emit(differenceOnWire(difference));
        },
        onUnsettled() {
          unsettled += 1;
        },
        onProgress: (done) => emit({ kind: 'progress', done, total: null } satisfies StreamProgress),
      });
      if (!outcome.ok) {
        const error = outcome.refusal.kind === 'unreadable' ? 'ERR_GEN' : 'ERR_VAL';
        return { kind: 'error', error, message: explainRefusal(code, outcome.refusal) } satisfies StreamError;
      }
      const { time, ours, theirs, younger = null } = outcome;
      const window = { from: time.from.toISOString(), to: time.to.toISOString() };
      const counts = { ours, theirs, younger, differences, unsettled };
      const shown = Math.min(differences, MAX_DIFFERENCES_SHOWN);
      const result: ReconcileResult = { kind: 'result', operator: code, ...window, ...counts, shown };
      return result;
    } finally {
      await client.close();
    }
  }
}

/** Without `from` it is a day. */
function isTooLong(from: Date | undefined, to: Date | undefined): boolean {
  return from !== undefined && (to?.getTime() ?? Date.now()) - from.getTime() > MAX_RECONCILED_DAYS * MS_PER_DAY;
}

function differenceOnWire(difference: Difference): ReconcileLine {
  const ours = 'ours' in difference ? difference.ours : undefined;
  const theirs = 'theirs' in difference ? difference.theirs : undefined;
  return {
    kind: 'line',
    difference: difference.kind,
    transactionID: transactionIDOf(difference),
    fields: 'fields' in difference ? [...difference.fields] : [],
    what: whatIsWrong(difference),
    ours:
      ours === undefined
        ? null
        : {
            kind: ours.kind,
            betID: String(ours.roundID),
            playerID: ours.externalID,
            amount: ours.amount,
            currency: ours.currency,
            debitTransactionID: ours.debitTransactionID,
            at: ours.createdAt.toISOString(),
            state: ours.state,
            resultCode: ours.resultCode,
            settledBy: ours.settledBy,
          },
    theirs:
      theirs === undefined
        ? null
        : {
            kind: theirs.kind,
            betID: theirs.roundID,
            playerID: theirs.playerID,
            amount: theirs.amount,
            currency: theirs.currency,
            debitTransactionID: theirs.debitTransactionID ?? null,
            at: theirs.at,
          },
  };
}
