import { MigrationError } from '../ledger/migrate.ts';
import { StartError } from '../startError.ts';

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET']);

/** One clear line for whoever typed the command; a stack only for what nobody expected. */
export function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof MigrationError) return error.message;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && UNREACHABLE.has(code)) {
    return `The database cannot be reached (${code}). Is its address right, and is it running?`;
  }
  if (error instanceof Error) return `${error.name}: ${error.message.trim().split('\n').at(-1) ?? ''}`;
  return String(error);
}
