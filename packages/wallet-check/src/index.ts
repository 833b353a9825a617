/** Checks an operator's wallet against the wallet protocol, rule by rule. */
export {
  type CheckOutcome,
  checkWallet,
  failed,
  renderReportJson,
  renderResult,
  renderSummary,
} from './checkWallet.ts';
