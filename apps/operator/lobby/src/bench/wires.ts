import type { FaultKind } from '@roundhouse/contract';
import { ERROR_CODES, GAME_ROUTES, WALLET_ERROR_CODES, WALLET_ROUTES } from '@roundhouse/contract/light';
import type { Wire } from '../api/apiTypes.ts';

export type WireFacts = {
  /** The calls that can be disturbed. */
  readonly paths: readonly string[];
  /** What the wire can refuse with. */
  readonly errorCodes: readonly string[];
};

const { replay: _readsOnly, ...playRoutes } = GAME_ROUTES;

export const WIRE_FACTS: Readonly<Record<Wire, WireFacts>> = {
  game: { paths: Object.values(playRoutes).map(({ path }) => path), errorCodes: ERROR_CODES },
  wallet: { paths: Object.values(WALLET_ROUTES).map(({ path }) => path), errorCodes: WALLET_ERROR_CODES },
};

/** In the order in which they are offered. The list of the contract stands beside its schemas, which are too large for a page. */
export const FAULT_KINDS = [
  'lost_answer',
  'cut',
  'error',
  'delay',
  'garbage',
  'duplicate',
] as const satisfies readonly FaultKind[];
