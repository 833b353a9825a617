import type { Times } from './times.ts';

/** page: wake somebody now. ticket: somebody looks at it in working hours. */
export type Severity = 'page' | 'ticket';

/** Is a recording rule or an alert, as a rule file of Prometheus holds it. */
export type Rule =
  | { record: string; expr: string; labels?: Record<string, string> }
  | {
      alert: string;
      expr: string;
      for?: string;
      labels: { severity: Severity; window?: string };
      annotations: { summary: string; description: string; runbook_url: string };
    };

export type RuleGroup = { name: string; rules: Rule[] };

export type RuleContext = {
  times: Times;
  /** Returns the address of the runbook of an alert, whose name has no prefix here. */
  runbookOf(name: string): string;
};

type AlertFacts = {
  /** It is the name without its prefix. */
  name: string;
  severity: Severity;
  expr: string;
  /** Time in seconds for which the expression must hold. */
  forSeconds?: number;
  /** It tells the alerts of one name apart. */
  window?: string;
  summary: string;
  description: string;
};

/**
 * Makes an alert. All of them begin with `Roundhouse`, because other programs share the list. The
 * summary of a fleet begins with the cell. Every expression keeps the label `cell`, if there is
 * one.
 */
export function alert({ times, runbookOf }: RuleContext, facts: AlertFacts): Rule {
  const { name, severity, expr, forSeconds, window, summary, description } = facts;
  return {
    alert: `Roundhouse${name}`,
    expr: expr.trim(),
    ...(forSeconds !== undefined && { for: times.range(forSeconds) }),
    labels: { severity, ...(window !== undefined && { window }) },
    annotations: {
      summary: `{{ with $labels.cell }}{{ . }}: {{ end }}${summary}`,
      description,
      runbook_url: runbookOf(name),
    },
  };
}
