/** Checks an operator's wallet against the wallet protocol, rule by rule. */
export { type CheckOutcome, checkWallet, type RuleResult, redactor, type WalletReport } from './checkWallet.ts';
export { CheckFailure, NotTestable, responseOf, type ShownExchange, type WalletResponse } from './exchange.ts';
export { createTextReport, failed, renderReportJson } from './report.ts';
export { requestTestSession } from './testSession.ts';
export { createPoster } from './wire/poster.ts';
