import { labelNote, placeOf, QUESTIONS, type Question } from './notes.ts';

/** A metric as prom-client has it. */
export type DefinedMetric = {
  name: string;
  help: string;
  type: string;
  aggregator: string;
  labelNames: readonly string[];
};

const PREFIX = 'roundhouse_';

const HEAD = `# Metrics

Prometheus scrapes \`/metrics\` of each node. Any worker of the node reports for all of its processes.
[Deployment](deployment.md#what-to-watch) says which metrics to watch, [Operations](operations.md) what to do.

- **Of** says what a value covers. \`process\`: the sum over processes, or what is named in parentheses. \`node\`: one
  process reads it for its node. \`database\`: every node reads the same value, so take \`max by (…)\` over nodes and
  not the sum. It is missing, not zero, while the database is away.
- **Units** are seconds, bytes, and whole units of a currency (the double nearest to the exact sum in the database);
  a name without a unit counts things. Counters end with \`_total\`.
- **Labels** have few values, and never text from a client: \`operator\` and \`currency\` a code, \`game\` an id,
  \`version\` that of the game, \`mode\` a key.
- **OpenMetrics** is the format for clients that accept \`application/openmetrics-text\`, as Prometheus does; others
  get the text format 0.0.4. With tracing on, OpenMetrics has exemplars in the buckets of
  \`roundhouse_request_duration_seconds\`: the \`trace_id\` of the newest traced request.
- \`process_*\` and \`nodejs_*\` are those of [prom-client](https://github.com/siimon/prom-client#default-metrics), for
  all workers together. \`nodejs_eventloop_lag_p99_seconds\` shows when a node is full.

\`npx vitest run apps/server/test/watch/metrics/document.test.ts --update\` generates this page from the code.
`;

/** Writes docs/metrics.md. */
export function metricsDocument(metrics: readonly DefinedMetric[]): string {
  const sections = Object.entries(QUESTIONS).map(([question, heading]) => {
    const items = metrics
      .filter(({ name }) => placeOf(shortName(name)).question === (question as Question))
      .map(itemOf);
    return `## ${heading}\n\n${items.join('')}`;
  });
  return [HEAD, ...sections].join('\n');
}

function itemOf(metric: DefinedMetric): string {
  const { name, type, aggregator, labelNames, help } = metric;
  const { scope } = placeOf(shortName(name));
  const of = scope === 'process' && aggregator !== 'sum' ? `process (${aggregator})` : scope;
  const labels = labelNames.map((label) => {
    const note = labelNote(shortName(name), label);
    if (note === undefined) throw new Error(`say in scripts/metrics/notes.ts what the label ${label} of ${name} is`);
    return { label: `\`${label}\``, note };
  });
  const plain = labels.filter(({ note }) => note === '').map(({ label }) => label);
  const facts = [type, ...unitOf(name), of, ...(plain.length > 0 ? [`by ${plain.join(', ')}`] : [])];
  const noted = labels.filter(({ note }) => note !== '').map(({ label, note }) => listItem(`${label}: ${note}`, 2));
  return listItem(`\`${name}\` (${facts.join(', ')}): ${help}`) + noted.join('');
}

/** Returns the unit, with which the name ends before `_total`; none of a number of things. */
function unitOf(name: string): string[] {
  const word = name
    .replace(/_total$/, '')
    .split('_')
    .at(-1);
  if (word === 'amount') return ['currency'];
  return word === 'seconds' || word === 'bytes' ? [word] : [];
}

/** Writes an item of a list, with lines of at most 120 columns. */
export function listItem(text: string, indent = 0): string {
  const lines = text.match(new RegExp(`.{1,${118 - indent}}(?: |$)`, 'g')) ?? [];
  return lines.map((line, index) => `${' '.repeat(indent)}${index === 0 ? '- ' : '  '}${line.trimEnd()}\n`).join('');
}

function shortName(name: string): string {
  return name.slice(PREFIX.length);
}
