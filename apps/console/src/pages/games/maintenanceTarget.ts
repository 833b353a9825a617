import type { MaintenanceOnWire } from '@roundhouse/contract/admin';

/** What maintenance stops. The server has no name; a version and a mode are those of a game. */
export type MaintenanceTarget = {
  scope: MaintenanceOnWire['scope'];
  target?: string;
  version?: string;
  mode?: string;
};

/** Names what is stopped: "version 1.0.0 of game lines". */
export function whatOf({ scope, target = '', version = '', mode = '' }: MaintenanceTarget): string {
  if (scope === 'server') return 'the whole server';
  const game = version === '' ? `${scope} ${target}` : `version ${version} of ${scope} ${target}`;
  return mode === '' ? game : `mode ${mode} of ${game}`;
}
