/** What is wrong: docs/fairness-scheme.md says how a report tells the kinds apart. */
export type IssueKind =
  | 'format'
  | 'serverSeed'
  | 'clientSeed'
  | 'nonce'
  | 'order'
  | 'missing'
  | 'table'
  | 'weight'
  | 'row'
  | 'payout'
  | 'book'
  | 'draw';

/** `table` is a place in `tables`; `position` is that of a row in its table. */
export type Issue = {
  kind: IssueKind;
  message: string;
  nonce?: number;
  betID?: number;
  table?: number;
  position?: number;
};

export type Report = {
  /** Whether everything that can be checked matches. */
  ok: boolean;
  /** Rounds in the document, void ones too. */
  rounds: number;
  voids: number;
  /** Whether draws could not be checked, since the server seed is still in use. */
  notRevealed: boolean;
  /** The first 100. */
  issues: Issue[];
  issueCount: number;
};

export type AddIssue = (issue: Issue) => void;

const MAX_ISSUES = 100;

export function startReport(): { report: Report; add: AddIssue } {
  const report: Report = { ok: true, rounds: 0, voids: 0, notRevealed: false, issues: [], issueCount: 0 };
  const add = (issue: Issue): void => {
    report.ok = false;
    report.issueCount += 1;
    if (report.issues.length < MAX_ISSUES) report.issues.push(issue);
  };
  return { report, add };
}
