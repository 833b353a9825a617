import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '@roundhouse/service';
import { Command, Option } from 'commander';
import { request } from 'undici';
import { verifyLog } from '../../audit/verifyLog.ts';
import type { Database } from '../../ledger/database.ts';
import type { ChainHead, StoredEvent } from '../../ledger/eventChain.ts';
import { EVENT_KINDS } from '../../ledger/eventKinds.ts';
import {
  atOneMoment,
  type EventFilter,
  findChainHead,
  listEvents,
  walkEvents,
} from '../../ledger/queries/significantEvents.ts';
import { addDatabaseChoice, addDatabaseOptions, parseInstant, parsePageUrl, wholeNumber } from '../options/options.ts';
import { type DatabaseChoice, withDatabase } from '../options/withDatabase.ts';

const MOST_LISTED = 1_000_000;

export function auditCommand(): Command {
  return new Command('audit')
    .summary('the log of significant events')
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

function verifyCommand(): Command {
  return addDatabaseOptions(
    new Command('verify')
      .summary('prove that the log is whole')
      .description(
        'Recomputes the hash of every event, and names each one that was changed, moved, inserted or removed. Exit code 0 when the log is whole, else 1.',
      )
      .option('--head <file>', 'compare with what `audit export` or `audit export --head-only` wrote before'),
  ).action(async ({ head: file, ...choice }: DatabaseChoice & { head?: string }) => {
    const exported = file === undefined ? undefined : await readHead(file);
    const { count, head, issues, issueCount } = await withDatabase(choice, (db) => verifyLog(db, { exported }));
    for (const { event, what } of issues) console.log(`${event} ${what}`);
    if (issueCount > issues.length) console.log(`… and ${issueCount - issues.length} more`);
    const counted = `${count} ${count === 1 ? 'event' : 'events'}, head ${head.hash}`;
    console.log(issues.length === 0 ? `The log is whole: ${counted}.` : `The log is NOT whole: ${counted}.`);
    if (issues.length > 0) process.exitCode = 1;
  });
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
  await pipeline(lines, createWriteStream(out)).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new StartError(`The log cannot be written to ${out}: ${code ?? message}.`);
  });
}

async function post(url: string, lines: AsyncGenerator<string>): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: Readable.from(lines) }).catch(
    ({ code, message }: NodeJS.ErrnoException) => {
      throw new StartError(`The log cannot be sent to ${url}: ${code ?? message}.`);
    },
  );
  await body.dump();
  if (statusCode < 200 || statusCode > 299) throw new StartError(`${url} did not take the log: status ${statusCode}.`);
}

/** The last line of an export is its head. */
async function readHead(file: string): Promise<ChainHead> {
  const content = await readFile(file, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new StartError(`The head cannot be read from ${file}: ${code ?? message}.`);
  });
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
  return JSON.stringify({ seq: seq === null ? null : Number(seq), id: Number(id), ...event });
}

function describe({ seq, at, actor, kind, subject, before, after }: StoredEvent): string {
  const values = [before === null ? '' : `  before ${before}`, after === null ? '' : `  after ${after}`];
  return [`${seq ?? '-'}  ${at}  ${actor}  ${kind}  ${subject}`, ...values].filter(Boolean).join('\n');
}
