import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '@roundhouse/service';
import { Command, Option } from 'commander';
import { stopWith } from '../../base/reason.ts';
import { type CellRow, cellTable } from '../../base/terminal/cellTable.ts';
import { visible, visibleJson } from '../../base/terminal/visible.ts';
import type { Database } from '../../store/database/database.ts';
import type { ChainHead, StoredEvent } from '../../store/watch/eventChain.ts';
import { EVENT_KINDS } from '../../store/watch/eventKinds.ts';
import {
  atOneMoment,
  type EventFilter,
  findChainHead,
  listEvents,
  walkEvents,
} from '../../store/watch/significantEvents.ts';
import { verifyLog } from '../../watch/audit/verifyLog.ts';
import { addCellOptions, type CellsChoice, chosenOf } from '../options/cellOptions.ts';
import { addDatabaseChoice, addDatabaseOptions, parseInstant, parsePageUrl, wholeNumber } from '../options/options.ts';
import { type CellResult, overCells, readOf, type Sum } from '../options/overCells.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const MOST_LISTED = 1_000_000;

export function auditCommand(): Command {
  return new Command('audit')
    .description(
      'Who changed what and when, and what happened to the nodes: a log that only grows, in which each event has the hash of the one before it.',
    )
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addCommand(exportCommand());
}

type ListOptions = DatabaseChoice & EventFilter & { limit: number; json: boolean };

function listCommand(): Command {
  return addDatabaseChoice(
    new Command('list')
      .summary('show the newest events, the oldest of them first')
      .addOption(new Option('--kind <kind>', 'of this kind').choices(Object.keys(EVENT_KINDS)))
      .option('--actor <text>', 'by an actor whose name has this text, for example person:ann')
      .option('--subject <text>', 'about what has this text, for example "operator acme"')
      .option('--from <moment>', 'from this time on, like 2030-01-31T12:00:00Z', parseInstant)
      .option('--to <moment>', 'before this time', parseInstant)
      .option('--limit <number>', 'events at most', wholeNumber({ least: 1, most: MOST_LISTED }), 100)
      .option('--json', 'print each event as one line of JSON', false),
  ).action(async ({ database, data, limit, json, ...filter }: ListOptions) => {
    const choice = { data, ...(database !== undefined && { database }) };
    const events = await withDatabase(choice, (db) => listEvents(db, filter, limit));
    for (const event of events) console.log(json ? line(event) : describe(event));
    if (events.length === 0 && !json) console.log('No event.');
  });
}

type Verified = Awaited<ReturnType<typeof verifyLog>>;

function verifyCommand(): Command {
  return addCellOptions(
    new Command('verify')
      .summary('prove that the log is whole')
      .description(
        'Recomputes the hash of every event, and names each one that was changed, moved, inserted or removed. ' +
          'Each database has a separate log: with several there is a line for each. Exit code 0 when the log is whole, else 1.',
      )
      .option(
        '--head <file>',
        'compare with what `audit export` or `audit export --head-only` wrote before, of one database',
      ),
  ).action(async ({ head: file, ...choice }: CellsChoice & { head?: string }) => {
    if (file !== undefined && chosenOf(choice).kind === 'many') {
      throw new StartError('--head has the head of one log: choose its database with --cell or --database.');
    }
    const exported = file === undefined ? undefined : await readHead(file);
    const read = (db: Database) => verifyLog(db, { exported });
    await overCells(choice, { read, one: printVerified, many: printVerifiedCells });
  });
}

function printVerified({ count, head, issues, issueCount }: Verified): void {
  for (const line of issueLines({ issues, issueCount })) console.log(line);
  const counted = `${count} ${count === 1 ? 'event' : 'events'}, head ${head.hash}`;
  console.log(issues.length === 0 ? `The log is whole: ${counted}.` : `The log is NOT whole: ${counted}.`);
  if (issues.length > 0) process.exitCode = 1;
}

function printVerifiedCells(results: readonly CellResult<Verified>[], { name, isWhole }: Sum): void {
  const read = readOf(results);
  for (const { cell, value } of read) for (const line of issueLines(value)) console.log(`${cell}: ${line}`);
  const verdict = (isRight: boolean) => (isRight ? 'whole' : 'NOT whole');
  const areRight = read.every(({ value }) => value.issues.length === 0);
  const rows = results.map((each): CellRow => {
    if (!each.ok) return each;
    const { count, head, issues } = each.value;
    return { cell: each.cell, values: [verdict(issues.length === 0), `${count}`, head.hash] };
  });
  const count = read.reduce((total, { value }) => total + value.count, 0);
  const log = areRight && !isWhole ? 'NOT known' : verdict(areRight);
  console.log(cellTable(['cell', 'log', 'events', 'head'], [...rows, { cell: name, values: [log, `${count}`] }]));
  if (!areRight) process.exitCode = 1;
}

function issueLines({ issues, issueCount }: Pick<Verified, 'issues' | 'issueCount'>): string[] {
  const more = issueCount > issues.length ? [`… and ${issueCount - issues.length} more`] : [];
  return [...issues.map(({ event, what }) => `${event} ${what}`), ...more];
}

type ExportOptions = DatabaseChoice & { out?: string; webhook?: string; headOnly: boolean };

function exportCommand(): Command {
  return addDatabaseOptions(
    new Command('export')
      .summary('write the log, and its head in the last line, as lines of JSON')
      .description(
        'Keep the head where no administrator of the database can change it: `audit verify --head` finds whatever was changed or cut off since.',
      )
      .addOption(new Option('--out <file>', 'file to write (default: the standard output)').conflicts('webhook'))
      .option('--webhook <url>', 'send it there in one POST; a status other than 2xx is an error', parsePageUrl)
      .option('--head-only', 'the head alone', false),
  ).action((options: ExportOptions) =>
    withDatabase(options, (db) => atOneMoment(db, (tx) => send(exportLines(tx, options), options))),
  );
}

async function* exportLines(
  db: Pick<Database, '$queryRaw'>,
  { headOnly }: Pick<ExportOptions, 'headOnly'>,
): AsyncGenerator<string> {
  if (!headOnly) for await (const event of walkEvents(db)) yield `${line(event)}\n`;
  const { seq, hash } = await findChainHead(db);
  yield `${JSON.stringify({ head: { seq: Number(seq), hash } })}\n`;
}

async function send(lines: AsyncGenerator<string>, { out, webhook }: ExportOptions): Promise<void> {
  if (webhook !== undefined) return post(webhook, lines);
  if (out === undefined) {
    for await (const each of lines) process.stdout.write(each);
    return;
  }
  await pipeline(lines, createWriteStream(out)).catch(stopWith(`The log cannot be written to ${out}`));
}

async function post(url: string, lines: AsyncGenerator<string>): Promise<void> {
  const { request } = await import('undici');
  const headers = { 'content-type': 'application/x-ndjson' };
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: Readable.from(lines) }).catch(
    stopWith(`The log cannot be sent to ${url}`),
  );
  await body.dump();
  if (statusCode < 200 || statusCode > 299) throw new StartError(`${url} did not take the log: status ${statusCode}.`);
}

/** The last line of an export is its head. */
async function readHead(file: string): Promise<ChainHead> {
  const content = await readFile(file, 'utf8').catch(stopWith(`The head cannot be read from ${file}`));
  try {
    const { head } = JSON.parse(content.trimEnd().split('\n').at(-1) ?? '') as { head: { seq: number; hash: string } };
    if (!/^[0-9a-f]{64}$/.test(head.hash)) throw new Error('no hash');
    return { seq: BigInt(head.seq), hash: head.hash };
  } catch {
    throw new StartError(`${file} does not end with a line that \`roundhouse audit export\` has written.`);
  }
}

/** `before` and `after` are texts, because the hash is of their bytes. */
function line({ seq, id, ...event }: StoredEvent): string {
  return visibleJson({ seq: seq === null ? null : Number(seq), id: Number(id), ...event });
}

function describe({ seq, at, actor, kind, subject, before, after }: StoredEvent): string {
  const values = [before === null ? '' : `  before ${before}`, after === null ? '' : `  after ${after}`];
  return [`${seq ?? '-'}  ${at}  ${actor}  ${kind}  ${subject}`, ...values].filter(Boolean).map(visible).join('\n');
}
