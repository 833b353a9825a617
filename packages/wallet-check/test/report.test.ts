import { expect, it } from 'vitest';
import { type RuleResult, redactor, type WalletReport } from '../src/checkWallet.ts';
import type { Exchange } from '../src/exchange.ts';
import { createTextReport, failed, renderReportJson } from '../src/report.ts';

const PASSED: RuleResult = { id: 'debit.exact', rule: 'A debit takes its amount.', outcome: 'pass' };
const FAILED: RuleResult = {
  id: 'debit.repeat',
  rule: 'It is taken once.',
  outcome: 'fail',
  why: 'the balance moved',
  exchanges: [
    {
      call: { route: 'debit', method: 'POST', path: '/debit', signed: 'signed', body: '{"amount":1}' },
      response: { came: true, status: 500, body: '' },
    },
    {
      call: { route: 'debit', method: 'POST', path: '/debit', signed: 'not signed', body: '' },
      response: { came: false, why: 'ECONNRESET' },
    },
  ],
};
const UNTESTED: RuleResult = {
  id: 'transactions.once',
  rule: 'All are listed.',
  outcome: 'not testable',
  why: 'no list',
};
const PLAYER = { playerID: 'player-7', currency: 'USD', balance: 500 };

function reportWith(more: Partial<WalletReport>): WalletReport {
  return { player: PLAYER, results: [PASSED, FAILED, UNTESTED], balanceAtEnd: 500, ...more };
}

const textOf = (...results: RuleResult[]) => {
  const { result } = createTextReport();
  return results.map(result).join('');
};

it('a result is a line, and a failure shows the request and the response', () => {
  expect(textOf(PASSED, FAILED)).toBe(`\
  pass  debit.exact                   A debit takes its amount.
  FAIL  debit.repeat                  It is taken once.
        fail: the balance moved
      1 → POST /debit, signed: {"amount":1}
        ← 500 (no body)
      2 → POST /debit, not signed: (no body)
        ← no response: ECONNRESET
`);
});

it('an exchange is shown once: below its rule it is counted, and later rules refer to it', () => {
  const [debit, lost] = FAILED.exchanges as [Exchange, Exchange];
  const atOnce: Exchange = { ...debit, call: { ...debit.call, atOnce: true } };
  const answered: Exchange = { ...debit, response: { came: true, status: 200, body: '' } };
  const first = { ...FAILED, exchanges: [debit, lost, lost, atOnce, atOnce, debit] };
  expect(textOf(first, { ...FAILED, exchanges: [lost, lost, answered] })).toBe(`\
  FAIL  debit.repeat                  It is taken once.
        fail: the balance moved
      1 → POST /debit, signed: {"amount":1}
        ← 500 (no body)
      2 → POST /debit, not signed, 2 times: (no body)
        ← no response: ECONNRESET
      3 → POST /debit, signed, at once, 2 times: {"amount":1}
        ← 500 (no body)
        (exchange 1 above)
  FAIL  debit.repeat                  It is taken once.
        fail: the balance moved
        (exchange 2 above, 2 times)
      4 → POST /debit, signed: {"amount":1}
        ← 200 (no body)
`);
});

it('rules that are not testable are below the others, by their reason', () => {
  const because = (why: string, id: string): RuleResult => ({ ...UNTESTED, id, why });
  const ids = Array.from({ length: 8 }, (_, index) => `closings.number-${index}`);
  const results = [PASSED, UNTESTED, ...ids.map((id) => because('there is\n1', id)), because('no list', 'last.one')];
  expect(textOf(UNTESTED)).toBe('');
  expect(createTextReport().summary(reportWith({ results, player: undefined }))).toBe(`
Not testable, because no list:
  transactions.once, last.one

Not testable, because there is\\u000a1:
  closings.number-0, closings.number-1, closings.number-2, closings.number-3, closings.number-4,
  closings.number-5, closings.number-6, closings.number-7

1 passed, 0 failed, 10 not testable.
`);
});

it('what a wallet sends does not steer the terminal, and does not fill it', () => {
  const [exchange] = FAILED.exchanges;
  const body = `\u001b[2J${'x'.repeat(3000)}\u009b`;
  const text = textOf({
    ...FAILED,
    why: 'a\nb',
    exchanges: exchange ? [{ ...exchange, response: { came: true, status: 200, body } }] : [],
  });
  expect(text).toContain('a\\u000ab');
  expect(text).toMatch(/← 200 \\u001b\[2Jx{1996}… \(1005 characters more\)\n/);
});

it('the summary counts, and tells what became of the balance', () => {
  const summaryWith = (more: Partial<WalletReport>) =>
    createTextReport().summary(reportWith({ results: [PASSED, FAILED], ...more }));
  expect(summaryWith({})).toBe(
    '\n1 passed, 1 failed, 0 not testable.\nThe balance of player-7 is as it was: 500 micros.\n',
  );
  expect(summaryWith({ balanceAtEnd: 499 })).toContain('was 500 micros and is now 499.');
  expect(summaryWith({ balanceAtEnd: undefined })).toContain('the wallet does not tell.');
  expect(summaryWith({ player: undefined, balanceAtEnd: undefined })).not.toContain('balance');
});

it('only a failed rule makes a report fail', () => {
  expect(failed(reportWith({}))).toBe(true);
  expect(failed(reportWith({ results: [PASSED, UNTESTED] }))).toBe(false);
});

it('as JSON it is one object', () => {
  const report = reportWith({});
  expect(JSON.parse(renderReportJson('https://wallet.example.com', report))).toEqual({
    ok: false,
    url: 'https://wallet.example.com',
    ...report,
  });
});

it('secrets go by their names, whole and also inside JSON', () => {
  const redact = redactor({ secret: 'a"b', sessionID: 'a"b:c', expired: undefined });
  expect(redact(`${JSON.stringify({ one: 'a"b:c', two: 'a"b' })} a"b:c a"b`)).toBe(
    '{"one":"<sessionID>","two":"<secret>"} <sessionID> <secret>',
  );
});
