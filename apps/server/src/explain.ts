import { BEHIND_POOLER, MigrationError, NoWriter, StartError, StoppedEarly } from '@roundhouse/service';
import { FleetFileError } from './fleet/fleet.ts';
import { SecretKeyError } from './ledger/secretKeys.ts';
import { CellError } from './ledger/settleCell.ts';

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

/** Returns one clear line for the person at the command line. */
export function explain(error: unknown): string {
  if (EXPLAINED.some((each) => error instanceof each)) return (error as Error).message;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NoWriter) return `The database cannot be used: ${error.message}.`;
  const message = error.message.trim().split('\n').at(-1) ?? '';
  const code = String((error as { code?: unknown }).code ?? '');
  if (UNREACHABLE.has(code)) return unreachable(code);
  // The driver's own time-out has no code.
  if (/^timeout expired$|connection timeout/i.test(message)) return unreachable('no response');
  if (code === POOLER_REFUSES) return BEHIND_POOLER;
  if (DATABASE_REFUSES.has(code)) return `The database refuses: ${message}.`;
  return `${error.name}: ${message}`;
}

export function exitCodeOf(error: unknown): number {
  return error instanceof StoppedEarly ? error.exitCode : 1;
}

function unreachable(why: string): string {
  return `The database cannot be reached (${why}). Is its address right, and is it running?`;
}
