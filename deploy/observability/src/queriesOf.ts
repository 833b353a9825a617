/** A dashboard as Grafana's JSON has it; only what is read here. */
export type DashboardJson = {
  panels?: {
    title?: string;
    targets?: { expr?: string; instant?: boolean }[];
    panels?: DashboardJson['panels'];
    fieldConfig?: { defaults?: { noValue?: string } };
  }[];
};

export type PanelQuery = {
  panel: string;
  /** It has no variables any more. */
  expr: string;
  /** The panel says what an empty result means. */
  mayBeEmpty: boolean;
};

/**
 * Returns every query of a dashboard as Prometheus takes it: with everything that the variables may
 * be. `interval` stands in place of `$__rate_interval`, `range` in place of `$__range`; both are
 * durations of Prometheus.
 */
export function queriesOf(
  { panels = [] }: DashboardJson,
  { interval = '5m', range = '3h' }: { interval?: string; range?: string } = {},
): PanelQuery[] {
  return panels.flatMap(({ title = '', targets = [], panels: inner, fieldConfig }) => [
    ...targets.flatMap(({ expr }) =>
      expr === undefined
        ? []
        : {
            panel: title,
            expr: expr
              .replaceAll('$__rate_interval', interval)
              .replaceAll('$__range', range)
              .replaceAll(/\$(cell|operator|game|currency|node)\b/g, '.*'),
            mayBeEmpty: fieldConfig?.defaults?.noValue !== undefined,
          },
    ),
    ...(inner === undefined ? [] : queriesOf({ panels: inner }, { interval, range })),
  ]);
}
