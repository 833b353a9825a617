import { LAUNCH_FAULT_MESSAGES } from '@roundhouse/contract/light';
import {
  type AnyRgsError,
  BadRequestError,
  InsufficientFundsError,
  LaunchUrlError,
  LimitReachedError,
  MaintenanceError,
  NetworkError,
  NotAllowedHereError,
  type RgsErrorJson,
  type RgsErrorKind,
  ServerTroubleError,
  SessionOverError,
} from './errors.ts';

const CLASSES = {
  'session-over': SessionOverError,
  'insufficient-funds': InsufficientFundsError,
  'limit-reached': LimitReachedError,
  'not-allowed-here': NotAllowedHereError,
  'bad-request': BadRequestError,
  maintenance: MaintenanceError,
  'server-trouble': ServerTroubleError,
  'no-network': NetworkError,
} as const satisfies Record<Exclude<RgsErrorKind, 'launch-url'>, unknown>;

/**
 * The error that `error.toJSON()` was made from, for what arrives by `postMessage`. Undefined when the value is something else.
 * The cause comes back as text, and the stack is that of this call.
 */
export function rgsErrorFrom(json: unknown): AnyRgsError | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { kind, message, fault, ...facts } = json as Partial<RgsErrorJson>;
  if (kind === 'launch-url') {
    return fault && Object.hasOwn(LAUNCH_FAULT_MESSAGES, fault) ? new LaunchUrlError(fault) : undefined;
  }
  if (!kind || !Object.hasOwn(CLASSES, kind)) return undefined;
  return new CLASSES[kind](String(message), facts);
}
