import { detailOf, type Failure, meaningsOf } from '../results.ts';

/** The wallet checks these before it moves money. docs/dialects/pragmatic.md has their sources. */
const MEANINGS = meaningsOf({
  ERR_IPB: ['1'],
  ERR_IS: ['2'],
  ERR_GLE: ['3', '6', '50', '310'],
  ERR_ATE: ['4'],
  ERR_GE: ['5', '8'],
  ERR_VAL: ['7'],
});

/** Returns the failure of an error that is not "0". */
export function errorResult(method: string, httpStatus: number, error: string): Failure {
  const answered = { httpStatus, detail: detailOf(`${method}: error ${error}`) };
  const code = MEANINGS.get(error);
  if (code !== undefined) return { kind: 'refused', code, ...answered };
  // A bet may have failed after it moved money, so it is refunded. Nothing else is repeated.
  if (error === '120' && method !== 'bet') return { kind: 'refused', code: 'ERR_GE', final: true, ...answered };
  return { kind: 'uncertain', code: 'ERR_UE', ...answered };
}
