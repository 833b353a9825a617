import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';
import type { FleetFile } from '@roundhouse/fleet';
import { runUntilStopped, StartError, sqlState } from '@roundhouse/service';
import { Command, type CommanderError, Option } from 'commander';
import { createScreen } from '../../base/terminal/screen.ts';
import { runningServer } from '../../node/dataFolder/lock.ts';
import { type CellLook, cellsStatusJson, cellsStatusText, verdictOf } from '../../staff/status/cellsStatus.ts';
import type { Finding, Verdict } from '../../staff/status/finding.ts';
import { EXIT_CODES, judge } from '../../staff/status/judge.ts';
import { type ExpectedCell, judgeCell } from '../../staff/status/judgeCell.ts';
import { type Facts, readFacts } from '../../staff/status/readFacts.ts';
import { jsonText, statusJson } from '../../staff/status/statusJson.ts';
import { statusText } from '../../staff/status/statusText.ts';
import { findCell } from '../../store/cells/cell.ts';
import { countUnfinishedMoves } from '../../store/cells/unfinishedMoves.ts';
import { type Database, openDatabase } from '../../store/database/database.ts';
import { findIdentity } from '../../store/database/databaseHome.ts';
import { explain } from '../../store/database/explain.ts';
import {
  addCellChoice,
  type CellsChoice,
  type Chosen,
  chosenOf,
  type Many,
  shellWord,
} from '../options/cellOptions.ts';
import { addTo, parseBaseUrl, wholeNumber } from '../options/options.ts';
import { readOf, refuseSameDatabase, resultsOf } from '../options/overCells.ts';
import { placeOf } from '../options/settings.ts';
import { databaseUrl } from '../options/withDatabase.ts';

const DEFAULT_NODE = 'http://127.0.0.1:4000';
const DEFAULT_WATCH_SECONDS = 5;
const MOST_WATCH_SECONDS = 3_600;
const MS_PER_SECOND = 1_000;
/** A person waits, so connections, statements and responses have short limits. */
const DEFAULT_WAIT_SECONDS = 4;
const MOST_WAIT_SECONDS = 600;

type StatusOptions = CellsChoice & { node?: string[]; wait: number; watch?: number | true; json: boolean };

/** A statement may take the whole time. */
function limitsOf(waitMs: number) {
  return { connectMs: waitMs / 2, statementMs: waitMs, silenceMs: waitMs + MS_PER_SECOND, awayMs: waitMs / 2 };
}

export function statusCommand(): Command {
  return addCellChoice(
    new Command('status')
      .description(
        'Asks the database and the nodes: is money safe, are players served, whose fault is it if not? Each finding has the command to run next. ' +
          'With several databases: a line for each, then the findings by cell; the nodes are those of the fleet file. ' +
          'Exit code 0 when all is well, 1 with a warning, 2 when something is critical, 3 when the database cannot be read or an option is wrong.',
      )
      .addOption(
        new Option(
          '--node <url>',
          `node to ask, repeatable (default: those of the fleet file, or those that run by the database, or the server that runs on --data, else ${DEFAULT_NODE})`,
        ).argParser((text: string, earlier?: string[]) => addTo(parseBaseUrl(text), earlier ?? [])),
      )
      .addOption(
        new Option(
          '--wait <seconds>',
          'longest wait for a statement of the database; for a connection and for a node half of it',
        )
          .argParser(wholeNumber({ least: 1, most: MOST_WAIT_SECONDS, unit: ' of seconds' }))
          .default(DEFAULT_WAIT_SECONDS),
      )
      .addOption(
        new Option(
          '--watch [seconds]',
          `look again after this number of seconds (default: ${DEFAULT_WATCH_SECONDS}) until Ctrl-C; ends with the exit code of the last look`,
        ).argParser(wholeNumber({ least: 1, most: MOST_WATCH_SECONDS, unit: ' of seconds' })),
      )
      .option('--json', 'as JSON; with --watch each look is one line', false),
  )
    .exitOverride(({ exitCode }: CommanderError) => process.exit(exitCode === 0 ? 0 : EXIT_CODES.unknown))
    .action(async (options: StatusOptions) => {
      process.exitCode = await status(options).catch((error: unknown) => {
        console.error(explain(error));
        return EXIT_CODES.unknown;
      });
    });
}

/** Returns the exit code. */
async function status(options: StatusOptions): Promise<number> {
  const { node, wait, watch, json } = options;
  const waitMs = wait * MS_PER_SECOND;
  const chosen = chosenOf(options);
  const isWatch = watch !== undefined;
  const opened: Database[] = [];
  const open = (url: string) => {
    const db = openDatabase({ url, connections: 1, limits: limitsOf(waitMs) });
    opened.push(db);
    return db;
  };
  try {
    const look =
      chosen.kind === 'one'
        ? await lookAtOne(chosen, { node, waitMs, json, isWatch, open })
        : await lookAtCells(chosen, { node, waitMs, json, isWatch, open, file: options.fleet });
    if (!isWatch) {
      const { text, verdict } = await look();
      console.log(text);
      return EXIT_CODES[verdict];
    }
    return await watchStatus(look, (watch === true ? DEFAULT_WATCH_SECONDS : watch) * MS_PER_SECOND, { json });
  } finally {
    await Promise.all(opened.map((db) => db.$disconnect()));
  }
}

type Look = () => Promise<{ text: string; verdict: Verdict }>;
type LookOptions = {
  node: string[] | undefined;
  waitMs: number;
  json: boolean;
  isWatch: boolean;
  open: (url: string) => Database;
};

async function lookAtOne(
  { choice, ofFleet }: Extract<Chosen, { kind: 'one' }>,
  { node, waitMs, json, isWatch, open }: LookOptions,
): Promise<Look> {
  const url = await databaseUrl(choice);
  const nodes = node ?? (ofFleet && nodesOf(ofFleet.cell));
  const otherwise = [(await runningServer(choice.data))?.url ?? DEFAULT_NODE];
  const expected = ofFleet && { cell: ofFleet.cell, version: ofFleet.fleet.version };
  const read = factsOf({ db: open(url), nodes, otherwise, expected, waitMs });
  return async () => {
    const { facts, judgement, roundsPerSecond } = await read();
    const { columns } = process.stdout;
    const text = json
      ? jsonText(statusJson({ facts, judgement }), { indent: !isWatch })
      : statusText(
          { facts, judgement },
          {
            place: placeOf(url),
            roundsPerSecond,
            ...(process.stdout.isTTY && { ...(columns > 0 && { columns }), paint }),
          },
        );
    return { text, verdict: judgement.verdict };
  };
}

async function lookAtCells(
  { databases, fleet }: Many,
  { node, waitMs, json, isWatch, open, file }: LookOptions & { file: string | undefined },
): Promise<Look> {
  if (node !== undefined) throw new StartError('--node is of one database: the fleet file has the nodes of each cell.');
  const cells = databases.map(({ name, url, cell }) => {
    const db = open(url);
    const expected = cell && fleet && { cell, version: fleet.version };
    const nodes = cell && nodesOf(cell);
    return { cell: name, name, db, read: factsOf({ db, nodes, otherwise: [], expected, waitMs }) };
  });
  const identities = await resultsOf(cells, ({ db }) => findIdentity(db));
  refuseSameDatabase(readOf(identities).map(({ cell, value }) => ({ name: cell, identity: value })));
  const commandOf = (cell: string, command: string) => {
    if (file === undefined) return command;
    // These are about the whole fleet.
    if (command === 'roundhouse migrate' || command.startsWith('roundhouse cell '))
      return `${command} --fleet ${shellWord(file)}`;
    return TAKES_CELL.test(command) ? `${command} --fleet ${shellWord(file)} --cell ${cell}` : command;
  };
  return async () => {
    const looks = await Promise.all(cells.map(async ({ cell, read }) => ({ cell, ...(await read()) })));
    const text = json
      ? jsonText(cellsStatusJson(looks), { indent: !isWatch })
      : cellsStatusText(looks, { hasRate: isWatch, commandOf, ...(process.stdout.isTTY && { paint }) });
    return { text, verdict: verdictOf(looks) };
  };
}

/** These commands that findings name take the cell. */
const TAKES_CELL = /^roundhouse (books-balance|reconcile|rtp|report|audit verify)\b/;

function nodesOf({ nodes, url }: FleetFile['cells'][number]): string[] {
  return nodes ?? [url];
}

type Read = {
  db: Database;
  nodes: readonly string[] | undefined;
  otherwise: readonly string[];
  expected: ExpectedCell | undefined;
  waitMs: number;
};

/** Each look is compared with the one before. */
function factsOf({ db, nodes, otherwise, expected, waitMs }: Read): () => Promise<Omit<CellLook, 'cell'>> {
  const asked = nodes && [...new Set(nodes)];
  let before: Facts | undefined;
  return async () => {
    const facts = await readFacts({ db, nodes: asked, otherwise, nodeMs: waitMs / 2, explain: explainFor(waitMs) });
    const judgement = judge(facts, before, expected && (await cellFindings(db, facts, expected)));
    const roundsPerSecond = before && rateOf(before, facts);
    before = facts;
    return { facts, judgement, roundsPerSecond };
  };
}

/** A database that is away, or lacks tables, is a finding already. */
async function cellFindings(db: Database, { database }: Facts, expected: ExpectedCell): Promise<Finding[]> {
  if ('issue' in database || database.stored === undefined) return [];
  return judgeCell({ stored: await findCell(db.pool), moves: await countUnfinishedMoves(db, undefined) }, expected);
}

/** query_canceled and lock_not_available: a limit of time has ended the statement. */
const TOO_SLOW = new Set(['57014', '55P03']);

function explainFor(waitMs: number): (error: unknown) => string {
  return (error) =>
    TOO_SLOW.has(sqlState(error) ?? '')
      ? `The database takes longer than ${waitMs / MS_PER_SECOND} s for a statement.`
      : explain(error);
}

/** Ends at Ctrl-C with the code of the last look: before the first one nothing is known. */
async function watchStatus(look: Look, pauseMs: number, { json }: { json: boolean }): Promise<number> {
  const screen = createScreen(process.stdout);
  let code = EXIT_CODES.unknown;
  await runUntilStopped(async ({ signal, stopped }) => {
    while (!signal.aborted) {
      const seen = await Promise.race([look(), stopped]);
      // It only reads: a response that is due keeps nobody waiting.
      if (typeof seen === 'string') process.exit(code);
      code = EXIT_CODES[seen.verdict];
      if (json) console.log(seen.text);
      else screen.show(`${new Date().toISOString().slice(0, 19)}Z\n${seen.text}`);
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  });
  return code;
}

/** Returns undefined when one of the looks could not read the database. */
function rateOf(before: Facts, now: Facts): number | undefined {
  const [first, second] = [before, now].map(({ database }) =>
    'issue' in database ? undefined : database.stored?.counter,
  );
  if (first === undefined || second === undefined) return undefined;
  const seconds = (second.at.getTime() - first.at.getTime()) / MS_PER_SECOND;
  return seconds <= 0 ? undefined : Math.max(0, Number(second.rounds - first.rounds) / seconds);
}

const COLOURS = { ok: 'green', warning: 'yellow', critical: 'red', unknown: 'magenta' } as const;

/** A terminal without colours, and NO_COLOR, leave the text as it is. */
function paint(verdict: Verdict, text: string): string {
  return process.stdout.hasColors() ? styleText(COLOURS[verdict], text, { validateStream: false }) : text;
}
