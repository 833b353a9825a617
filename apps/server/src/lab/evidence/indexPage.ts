import { html, prose, tableOf } from '../../base/htmlText.ts';
import type { Settings, StartedNode } from '../../watch/audit/startedNodes.ts';
import { pageOf } from './page.ts';
import { countsOf, type Requirements, type Results, summaryOf } from './requirements.ts';

export type EvidenceOptions = {
  /** An empty folder. */
  out: string;
  games: string;
  results: Results | undefined;
  /** A bill of materials. */
  sbom: string | undefined;
  /** Each text is the report of another proof, by the name of its file. */
  reports: ReadonlyMap<string, string>;
  /** Each command of the pack runs with it. */
  env: NodeJS.ProcessEnv;
  /** `serve` takes these settings from the environment. */
  serve: { settings: Settings; hasManifest: boolean };
  /** It is undefined when no database was given. */
  database: { nodes: readonly StartedNode[]; version: string } | undefined;
};

/** The index shows the headings in this order. */
const GROUPS = ['Requirements', 'What runs', 'Games', 'Money and events', 'Reports of proofs', 'Documents'] as const;

/**
 * `what` tells readers what to know first. `found` is what the command of the file has found;
 * `issue` is what of that is wrong.
 */
export type Part = {
  group: (typeof GROUPS)[number];
  title: string;
  file: string;
  what?: string;
  command?: string;
  found?: string;
  issue?: string;
};

type IndexOptions = EvidenceOptions & { version: string; requirements: Requirements };

/** Returns the page that leads to the other files. */
export function indexOf(parts: readonly Part[], options: IndexOptions): string {
  const { version, requirements, results, database } = options;
  const issues = parts.filter(({ issue }) => issue !== undefined);
  const missing = missingOf(options);
  const body = `<h1>Roundhouse ${html(version)}: evidence</h1>
<p>Written at ${new Date().toISOString()}. This folder is not a certification. Its tables state in our own words what each clause demands;
only the text of the regulator is binding. Each report is what its command prints: repeat it on the machine to compare.
<a href="SHA256SUMS">SHA256SUMS</a> has the hash of each file.</p>
<p>${issues.length === 0 ? 'No command has found anything wrong.' : `<strong class="failed">Commands that have found something wrong: ${issues.length}.</strong>`}</p>
<h2>Summary of the requirements</h2>
${countsOf(requirements)}
${results === undefined ? '' : `<p>${summaryOf(results)}</p>`}
${database === undefined ? '' : `<h2>Nodes</h2>\n${nodesOf(database.nodes)}`}
${GROUPS.map((group) => sectionOf(group, parts)).join('\n')}
${missing.length === 0 ? '' : `<h2>Not in this folder</h2>\n<ul>\n${missing.map((each) => `<li>${prose(each)}\n`).join('')}</ul>`}
<h2>Proofs that a lab repeats</h2>
<p>In a checkout. Our own figures of them are in <a href="documents/operations.html">Operations</a>, those of the random numbers in
<a href="documents/rng.html">Random numbers</a>.</p>
${tableOf(
  ['command', 'what it proves'],
  PROOFS.map(([command, what]) => [`<code>${command}</code>`, what]),
)}`;
  return pageOf('evidence', body);
}

function sectionOf(group: Part['group'], parts: readonly Part[]): string {
  const own = parts.filter((part) => part.group === group);
  if (own.length === 0) return '';
  const rows = own.map((part) => [
    `<a href="${encodeURI(part.file)}">${html(part.title)}</a>`,
    [part.what && prose(part.what), part.command && `<code>${html(part.command)}</code>`].filter(Boolean).join('<br>'),
    part.issue === undefined ? html(part.found ?? '') : `<strong class="failed">${html(part.issue)}</strong>`,
  ]);
  const isPlain = own.every(({ what, command, found }) => what === undefined && command === undefined && !found);
  if (isPlain) return `<h2>${group}</h2>\n<ul>\n${rows.map(([link]) => `<li>${link}\n`).join('')}</ul>`;
  return `<h2>${group}</h2>\n${tableOf(['file', 'what it is, and the command that writes it', 'found'], rows)}`;
}

const MOST_NODES = 20;

/** Shows the nodes that have not stopped, then the last ones that have. */
function nodesOf(nodes: readonly StartedNode[]): string {
  if (nodes.length === 0) return '<p>No <code>roundhouse serve</code> has started on this database.</p>';
  const shown = [...nodes.filter((node) => !node.stoppedAt), ...nodes.filter((node) => node.stoppedAt)];
  const rows = shown.slice(0, MOST_NODES).map(({ node, startedAt, stoppedAt, version, nodeVersion, settings = {} }) => [
    html(node),
    html(startedAt),
    html(stoppedAt ?? ''),
    html([version, nodeVersion && `Node ${nodeVersion}`].filter(Boolean).join(', ')),
    Object.entries(settings)
      .filter(([, { from }]) => from !== 'default')
      .map(([name, { value }]) => `${html(name)} <code>${html(JSON.stringify(value))}</code>`)
      .join('<br>'),
  ]);
  return `<p>Each start of <code>roundhouse serve</code> in the log of significant events, the newest first, and before all those without an
end: they run, or have ended without being stopped. All settings are in <a href="nodes.json">nodes.json</a>.</p>
${tableOf(['host and process', 'started', 'stopped', 'version', 'settings that are not the default, without secrets'], rows)}`;
}

function missingOf({ results, sbom, reports, database }: EvidenceOptions): string[] {
  return [
    ...(results === undefined
      ? ['Test results: none were given. `npm run test:all -- --results <file>` writes them.']
      : []),
    ...(sbom === undefined ? ['A bill of materials: none was given. `npm run sbom` writes one.'] : []),
    ...(reports.size === 0 ? ['Reports of the proofs below: none was given with `--report`.'] : []),
    ...(database === undefined ? ['Reports of a database: none was given.'] : []),
  ];
}

const PROOFS = [
  ['npm test', 'every test that the tables name'],
  [
    'npm run proof -- chaos --rounds 50000 --seed 1',
    'no money is lost or doubled when requests, wallets and processes fail',
  ],
  ['npm run proof -- failover --times 30 --seed 7', 'the same when the database fails over to its standby'],
  ['npm run proof -- faults --times 3 --seed 7', 'the same when one database restarts, is slow, or has a full disk'],
  ['npm run proof -- fuzz', 'malformed requests do no harm'],
  ['npm run proof -- rng-battery', 'raw output and draws pass statistical tests at 99 % confidence'],
  ['roundhouse rng dump --raw --bytes 10GB --out raw.bin', 'raw output for tests of the lab'],
] as const;
