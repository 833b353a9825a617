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

/** Returns host and name: the password may have any character, the query may hold secrets. */
export function placeOf(url: string): string {
  const [, scheme, rest] = /^(\w+:\/\/)(.*)$/s.exec(url) ?? [];
  return scheme === undefined ? 'set' : `${scheme}${rest?.replace(/^.*@/s, '').replace(/\?.*$/s, '')}`;
}

/** Removes the part of an address before the @. */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\/\/[^/]*@/g, '//');
  return Array.isArray(value) ? value.map(withoutCredentials) : value;
}
