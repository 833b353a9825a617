import {
  type DataSourceRef,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { MappingType, ThresholdsConfigBuilder, ThresholdsMode } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as Stat } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeSeries } from '@grafana/grafana-foundation-sdk/timeseries';
import { ofCells } from './ofCells.ts';

const DATASOURCE: DataSourceRef = { type: 'prometheus', uid: '$datasource' };

/** Grafana's names: s, bytes, percentunit (1 is 100 %), ops (a second), short (a number). */
type Unit = 's' | 'bytes' | 'percentunit' | 'ops' | 'short' | 'none' | 'dateTimeFromNow';

export type Query = {
  expr: string;
  /** Grafana fills in labels: {{operator}}. */
  legend: string;
  /** The metric has exemplars with trace ids. */
  exemplar?: boolean;
};

type PanelFacts = {
  title: string;
  description: string;
  unit: Unit;
  queries: Query[];
  /** The row has 24 columns. */
  width?: number;
  /** Shown instead of an empty result, which then is not a failure. */
  noValue?: string;
};

/** Shows lines over time. */
export function lines({ stacked = false, ...facts }: PanelFacts & { stacked?: boolean }): TimeSeries {
  const panel = new TimeSeries()
    .min(0)
    .height(8)
    .span(facts.width ?? 8)
    .fillOpacity(stacked ? 30 : 8)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  if (stacked) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  return withFacts(panel, facts, (query) => query.range());
}

type Limits = {
  /** The panel is yellow or red from this value on. */
  yellow?: number;
  red?: number;
  /** Below this value the panel is red. */
  redBelow?: number;
  /** These texts replace values. */
  texts?: Record<string, string>;
};

/** Shows one number now, in the colour of its meaning. */
export function number({ limits = {}, ...facts }: PanelFacts & { limits?: Limits }): Stat {
  const { yellow, red, redBelow, texts } = limits;
  const steps =
    redBelow === undefined
      ? [{ value: null, color: 'green' }, ...step(yellow, 'yellow'), ...step(red, 'red')]
      : [{ value: null, color: 'red' }, ...step(redBelow, 'green')];
  const panel = new Stat()
    .height(4)
    .span(facts.width ?? 4)
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']));
  if (texts !== undefined)
    panel.mappings([
      {
        type: MappingType.ValueToText,
        options: Object.fromEntries(Object.entries(texts).map(([value, text]) => [value, { text }])),
      },
    ]);
  return withFacts(panel, facts, (query) => query.instant());
}

const step = (value: number | undefined, color: string) => (value === undefined ? [] : [{ value, color }]);

/** Shows a row for each series, with its labels as columns. */
export function table(facts: PanelFacts): Table {
  const panel = new Table().height(8).span(facts.width ?? 12);
  panel.withTransformation({
    id: 'organize',
    options: {
      excludeByName: { Time: true, __name__: true, alertstate: true, job: true },
      renameByName: { Value: facts.title },
    },
  });
  return withFacts(panel, facts, (query) => query.instant().format(PromQueryFormat.Table));
}

function withFacts<Panel extends TimeSeries | Stat | Table>(
  panel: Panel,
  { title, description, unit, queries, noValue }: PanelFacts,
  kind: (query: DataqueryBuilder) => DataqueryBuilder,
): Panel {
  panel.title(title).description(description).unit(unit).datasource(DATASOURCE);
  if (noValue !== undefined) panel.noValue(noValue);
  for (const [index, { expr, legend, exemplar }] of queries.entries()) {
    const query = kind(new DataqueryBuilder().expr(ofCells(expr)).legendFormat(legend).refId('ABCDEFGH'.charAt(index)));
    panel.withTarget(exemplar ? query.exemplar(true) : query);
  }
  return panel;
}
