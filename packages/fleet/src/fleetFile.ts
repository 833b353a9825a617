import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import {
  type Fleet,
  type FleetFile,
  FleetFileError,
  type FleetIssue,
  findFleetIssues,
  findSuccessionIssues,
  fleetFileSchema,
  fleetOf,
} from './fleet.ts';

const MAX_ISSUES = 10;

/**
 * Reads a fleet file: YAML or JSON.
 * @throws FleetFileError with the line of each issue
 */
export function readFleetFile(file: string, environment: NodeJS.ProcessEnv | undefined, before?: Fleet): FleetFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new FleetFileError(`${file} cannot be read: ${code ?? message}.`);
  }
  return parseFleetFile(text, { file, environment, before });
}

type Source = {
  file: string;
  /** Undefined: the reader opens no database, so `env:NAME` stays as it is. */
  environment: NodeJS.ProcessEnv | undefined;
  /** The fleet of the file must be one that may follow this one. */
  before?: Fleet | undefined;
};

/** @throws FleetFileError with the line of each issue */
export function parseFleetFile(text: string, { file, environment, before }: Source): FleetFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) throw new FleetFileError(`${file}:${broken.linePos?.[0].line ?? 1}: ${broken.message}`);
  const fail = (issues: readonly FleetIssue[]): never => {
    throw new FleetFileError(
      issues
        .slice(0, MAX_ISSUES)
        .map(({ path, message }) => `${file}:${lineOf(path)}: ${[...path].join('.') || 'the file'}: ${message}`)
        .join('\n'),
    );
  };
  /** Returns the line of the place, or of the nearest one around it. */
  const lineOf = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path as unknown[], true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const parsed = fleetFileSchema.safeParse(document.toJS());
  if (!parsed.success) return fail(parsed.error.issues);
  const fleet = parsed.data;
  const issues = findFleetIssues(fleetOf(fleet));
  if (before !== undefined && issues.length === 0) issues.push(...findSuccessionIssues(before, fleetOf(fleet)));
  const cells = fleet.cells.map((cell, at) => {
    const [, variable] = /^env:(.*)$/.exec(cell.databaseUrl) ?? [];
    if (variable === undefined || environment === undefined) return cell;
    const databaseUrl = environment[variable];
    if (!databaseUrl)
      issues.push({ path: ['cells', at, 'databaseUrl'], message: `the variable ${variable} is not set` });
    return { ...cell, databaseUrl: databaseUrl ?? '' };
  });
  if (issues.length > 0) return fail(issues);
  return { ...fleet, cells };
}
