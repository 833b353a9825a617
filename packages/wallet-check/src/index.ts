/** Checks an operator's wallet against the wallet protocol, rule by rule. */
export { type CheckOutcome, checkWallet } from './checkWallet.ts';
export { failed, renderReportJson, renderResult, renderSummary } from './report.ts';
