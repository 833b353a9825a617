/** Checks an operator's wallet against the wallet protocol, rule by rule. */
export { type CheckOutcome, checkWallet } from './checkWallet.ts';
export { createTextReport, failed, renderReportJson } from './report.ts';
