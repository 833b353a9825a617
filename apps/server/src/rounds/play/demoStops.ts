import type { GameStop, MaintenanceRefusal } from '../../store/rounds/maintenance.ts';
import { modeKey } from '../games/catalogue.ts';

/** mode is that of a play; undefined when the request opens no round. */
export type DemoRequest = { game: string; version: string; mode?: string };

/** Resolves with the refusal of a request that maintenance or a withdrawal stops. */
export type DemoStops = (request: DemoRequest) => Promise<MaintenanceRefusal | undefined>;

/**
 * Anybody may play for fun, as often as they like, so a play must cost the database nothing: all
 * plays of a second share one read (decision 016).
 */
const FRESH_MS = 1_000;

export function createDemoStops(read: () => Promise<readonly GameStop[]>, nowMs = () => performance.now()): DemoStops {
  let latest: { stops: Promise<readonly GameStop[]>; readAtMs: number } | undefined;

  const stopsNow = (): Promise<readonly GameStop[]> => {
    const atMs = nowMs();
    if (latest !== undefined && atMs - latest.readAtMs < FRESH_MS) return latest.stops;
    const reading = { stops: read(), readAtMs: atMs };
    latest = reading;
    // The next request reads again, so it does not get this error.
    reading.stops.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading.stops;
  };

  return async (request) => {
    const found = (await stopsNow()).filter((stop) => applies(stop, request));
    if (found.length === 0) return undefined;
    return found.some(({ gameID }) => gameID === '') ? 'server_maintenance' : 'game_maintenance';
  };
}

function applies(stop: GameStop, { game, version, mode }: DemoRequest): boolean {
  const names = (stopped: string, asked: string) => stopped === '' || stopped === asked;
  if (!names(stop.gameID, game) || !names(stop.version, version)) return false;
  if (mode === undefined) return stop.level === 'nothing_at_all';
  return names(stop.mode, modeKey(mode));
}
