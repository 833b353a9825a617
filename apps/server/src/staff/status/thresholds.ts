/**
 * Every threshold. The alert rules in deploy/observability have the same ones, where a rule asks
 * the same question.
 */
export const THRESHOLDS = {
  /** The age that a pending wallet transaction may have: MoneyUnsettled. */
  pendingSeconds: { warning: 600, critical: 3_600 },
  /** The clocks of node and database may differ by this: ClockOffset, GLI-19 2.2.2. */
  clockOffsetSeconds: 1,
  /** The log of events is verified at least as often: EventChainNotChecked. */
  chainCheckedSeconds: 26 * 3_600,
  /** The least free share of the disk of the data folder: DiskFilling. */
  diskFree: { warning: 0.1, critical: 0.05 },
  /** The largest share of PostgreSQL's connections that may be taken. */
  connections: { warning: 0.8, critical: 0.95 },
  /** Time limit for a transaction: it keeps dead rows from being removed. */
  transactionSeconds: 900,
  /** A standby may be so far behind. */
  lagSeconds: 30,
} as const;

/** The threshold that a value has passed; undefined when it has passed none. */
export function severityOf(
  value: number,
  limits: { warning: number; critical: number },
): 'warning' | 'critical' | undefined {
  if (value > limits.critical) return 'critical';
  return value > limits.warning ? 'warning' : undefined;
}
