/** A verdict is unknown when the facts for it are missing. */
export type Verdict = 'ok' | 'warning' | 'critical' | 'unknown';
type Question = 'money' | 'players' | 'fault';

/** One thing that is not as it should be. */
export type Finding = {
  /** It stays the same from version to version. */
  id: string;
  severity: Exclude<Verdict, 'ok'>;
  /** The question that it answers with "no". */
  question: Exclude<Question, 'fault'>;
  /** Names the cause: "wallet of acme", "database", "node http://…". */
  cause: string;
  text: string;
  /** The command to run next. */
  command: string;
};

export type Judgement = {
  verdict: Verdict;
  questions: Record<Question, { verdict: Verdict; text: string }>;
  /** The worst comes first. */
  findings: Finding[];
};
