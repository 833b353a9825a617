import { FleetFileError } from '@roundhouse/fleet';
import {
  BEHIND_POOLER,
  isConnectionLost,
  MigrationError,
  NoWriter,
  StartError,
  StoppedEarly,
  sqlState,
} from '@roundhouse/service';
import { visibleLines } from '../../base/terminal/visible.ts';
import { CellError } from '../cells/settleCell.ts';
import { SecretKeyError } from './secretKeys.ts';

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET']);
/**
 * PostgreSQL refuses with these codes: invalid_authorization_specification, invalid_password,
 * invalid_catalog_name, insufficient_privilege.
 */
const DATABASE_REFUSES = new Set(['28000', '28P01', '3D000', '42501']);

/** protocol_violation: PgBouncer refuses settings of a connection that it does not know. */
const POOLER_REFUSES = '08P01';

/** Their messages say what to do. */
const EXPLAINED = [StartError, MigrationError, FleetFileError, CellError, SecretKeyError, StoppedEarly];

/** What a state of PostgreSQL, or a code of Prisma, means to the person who runs a command. */
const DATABASE_SAYS: Readonly<Record<string, string>> = {
  '23505': 'Somebody else has just made the same. Look at what is there now.',
  '25006': 'The database takes no writes: it is a standby, or read-only.',
  '40001': 'Other changes came in between, and nothing of this one is stored. Run the command again.',
  '40P01': 'Other changes came in between, and nothing of this one is stored. Run the command again.',
  '53100': 'The disk of the database is full.',
  '53200': 'The database has no memory left.',
  '53300': 'The database has no free connection: max_connections is reached.',
  '55P03': 'Another transaction holds what this one needs, for too long. Run the command again.',
  '57014': 'The database took too long for a statement and broke it off.',
  // In Prisma this means that a transaction could not begin, or has taken too long; both are rolled
  // back.
  P2028: 'The database was too busy: a transaction took too long and was rolled back. Run the command again.',
  P2034: 'Other changes came in between, and nothing of this one is stored. Run the command again.',
};

/**
 * Returns one clear line for the person at the command line. The text of a library is not such a
 * line: it names calls and files that the person has never seen.
 */
export function explain(error: unknown): string {
  // It may name what a player, an operator or a file is called.
  return visibleLines(explanation(error));
}

function explanation(error: unknown): string {
  if (EXPLAINED.some((each) => error instanceof each)) return (error as Error).message;
  if (!(error instanceof Error)) return unexpected(String(error));
  if (error instanceof NoWriter) return `The database cannot be used: ${error.message}.`;
  const message = error.message.trim().split('\n').at(-1) ?? '';
  const code = codeOf(error);
  const says = DATABASE_SAYS[sqlState(error) ?? code];
  if (says !== undefined) return says;
  if (UNREACHABLE.has(code)) return unreachable(code);
  // The driver's own time-out has no code.
  if (/^timeout expired$|connection timeout/i.test(message)) return unreachable('no response');
  if (code === POOLER_REFUSES) return BEHIND_POOLER;
  if (DATABASE_REFUSES.has(code)) return `The database refuses: ${message}.`;
  if (isConnectionLost(error))
    return 'The connection to the database was lost. Look at what is done, and run the command again.';
  const state = sqlState(error);
  if (state !== undefined) return `The database refuses with SQLSTATE ${state}. Its log says more.`;
  if (isOfPrisma(error))
    return `The database could not do this (${code === '' ? error.name : code}). Its log says more.`;
  const { path, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return `${path ?? 'The system'} cannot be used (${code}).`;
  return unexpected(`${error.name}: ${message}`);
}

export function exitCodeOf(error: unknown): number {
  return error instanceof StoppedEarly ? error.exitCode : 1;
}

function codeOf(error: Error): string {
  return String((error as { code?: unknown }).code ?? '');
}

function isOfPrisma({ name }: Error): boolean {
  return name.startsWith('Prisma') || name === 'DriverAdapterError';
}

function unreachable(why: string): string {
  return `The database cannot be reached (${why}). Is its address right, and is it running?`;
}

/** A bug: whoever gets the report needs its words. */
function unexpected(what: string): string {
  return `Something went wrong that should not, please report it: ${what}`;
}
