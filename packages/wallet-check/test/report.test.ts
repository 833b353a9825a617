import { expect, it } from 'vitest';
import {
  failed,
  type RuleResult,
  redactor,
  renderReportJson,
  renderResult,
  renderSummary,
  type WalletReport,
} from '../src/checkWallet.ts';

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

it('a result is a line, and a failure shows what was sent and answered', () => {
  expect([PASSED, FAILED, UNTESTED].map(renderResult).join('')).toBe(`\
  pass  debit.exact                   A debit takes its amount.
  FAIL  debit.repeat                  It is taken once.
        fail: the balance moved
        → POST /debit, signed: {"amount":1}
        ← 500 (no body)
        → POST /debit, not signed: (no body)
        ← no response: ECONNRESET
    –   transactions.once             All are listed.
        not testable: no list
`);
});

it('what a wallet sends does not steer the terminal, and does not fill it', () => {
  const [exchange] = FAILED.exchanges;
  const body = `\u001b[2J${'x'.repeat(3000)}\u009b`;
  const text = renderResult({
    ...FAILED,
    why: 'a\nb',
    exchanges: exchange ? [{ ...exchange, response: { came: true, status: 200, body } }] : [],
  });
  expect(text).toContain('a\\u000ab');
  expect(text).toMatch(/← 200 \\u001b\[2Jx{1996}… \(1005 characters more\)\n/);
});

it('the summary counts, and tells what became of the balance', () => {
  expect(renderSummary(reportWith({}))).toBe(
    '\n1 passed, 1 failed, 1 not testable.\nThe balance of player-7 is as it was: 500 micros.\n',
  );
  expect(renderSummary(reportWith({ balanceAtEnd: 499 }))).toContain('was 500 micros and is now 499.');
  expect(renderSummary(reportWith({ balanceAtEnd: undefined }))).toContain('the wallet does not tell.');
  expect(renderSummary(reportWith({ player: undefined, balanceAtEnd: undefined }))).not.toContain('balance');
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
