import type { Command } from 'commander';
import { secretsKeyOfEnvironment } from '../../store/database/secretKeys.ts';
import type { Settings } from '../../watch/audit/startedNodes.ts';

/**
 * Returns the settings of `serve` without secrets. It never writes the environment itself, which
 * may hold unknown passwords. `database` is the one that the command has found.
 */
export function settingsOf(command: Command, database: string | undefined): Settings {
  const from = (name: string) => command.getOptionValueSource(name);
  const options = Object.entries(command.opts()).map(([name, value]) => [
    name,
    { value: withoutCredentials(value), from: from(name) },
  ]);
  return {
    ...Object.fromEntries(options),
    database: { value: database === undefined ? 'none' : placeOf(database), from: from('database') },
    secretsKey: { value: secretsKeyOfEnvironment() === undefined ? 'not set' : 'set' },
  };
}

/**
 * Returns host and name, without the query, which may hold secrets. An @ after the host may belong
 * to a password that is not encoded: then it returns "set".
 */
export function placeOf(url: string): string {
  const [, scheme, authority, path] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || path?.includes('@')) return 'set';
  return `${scheme}${authority?.replace(/^.*@/s, '')}${path?.replace(/[?#].*$/s, '')}`;
}

/** Removes the part of each address before its last @. */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\/\/[^\s,]*@/g, '//');
  return Array.isArray(value) ? value.map(withoutCredentials) : value;
}
