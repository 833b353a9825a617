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

type Place = Pick<Issue, 'nonce' | 'betID' | 'table' | 'position'>;

/**
 * Adds an issue to a report. The message starts with its place; a round gives nonce, bet and table.
 */
export type AddIssue = (kind: IssueKind, message: string, place?: Place) => void;

const MAX_ISSUES = 100;
const PLACE: (keyof Place)[] = ['nonce', 'betID', 'table', 'position'];

export function startReport(): { report: Report; add: AddIssue } {
  const report: Report = { ok: true, rounds: 0, voids: 0, notRevealed: false, issues: [], issueCount: 0 };
  const add: AddIssue = (kind, message, place = {}) => {
    report.ok = false;
    report.issueCount += 1;
    if (report.issues.length >= MAX_ISSUES) return;
    const keys = PLACE.filter((key) => place[key] !== undefined);
    const where = keys.map((key) => `${key} ${place[key]}`).join(', ');
    const issue: Issue = { kind, message: keys.length > 0 ? `${where}: ${message}` : message };
    for (const key of keys) issue[key] = place[key] as number;
    report.issues.push(issue);
  };
  return { report, add };
}
