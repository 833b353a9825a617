import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { lines, number, table } from './panels.ts';

type Panel = ReturnType<typeof lines | typeof number | typeof table>;

/** Each has the query of its values. */
const VARIABLES = {
  cell: 'label_values(up{job="roundhouse"}, cell)',
  operator: 'label_values(roundhouse_rounds_total, operator)',
  game: 'label_values(roundhouse_rounds_total, game)',
  currency: 'label_values(roundhouse_rounds_total, currency)',
  node: 'label_values(up{job="roundhouse"}, instance)',
} as const;

type DashboardFacts = {
  /** It is the name of the file as well. */
  name: string;
  title: string;
  description: string;
  /** They are behind `cell`, which every dashboard has. */
  variables: Exclude<keyof typeof VARIABLES, 'cell'>[];
  rows: { title: string; panels: Panel[] }[];
};

/** Makes a dashboard that works with any data source of Prometheus and links to the others. */
export function dashboard({ name, title, description, variables, rows }: DashboardFacts): Dashboard {
  const builder = new DashboardBuilder(`Roundhouse: ${title}`)
    .uid(`roundhouse-${name}`)
    .description(description)
    .tags(['roundhouse'])
    .timezone('browser')
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .link(
      new DashboardLinkBuilder('Roundhouse')
        .type(DashboardLinkType.Dashboards)
        .tags(['roundhouse'])
        .includeVars(true)
        .keepTime(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'));
  for (const variable of ['cell', ...variables] as const) builder.withVariable(queryVariable(variable));
  let panelID = 1;
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(panelID++));
    for (const panel of row.panels) builder.withPanel(panel.id(panelID++));
  }
  const built = builder.build();
  // The library's default hides links in a menu.
  for (const link of built.links ?? []) delete link.placement;
  return built;
}

function queryVariable(variable: keyof typeof VARIABLES): QueryVariableBuilder {
  return new QueryVariableBuilder(variable)
    .label(variable)
    .query({ query: VARIABLES[variable], refId: variable })
    .datasource({ type: 'prometheus', uid: '$datasource' })
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .current({ selected: true, text: 'All', value: '$__all' })
    .includeAll(true)
    .allValue('.*');
}
