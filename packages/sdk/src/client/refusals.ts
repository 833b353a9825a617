import type { ErrorCode } from '@roundhouse/contract/light';
import {
  type AnyRgsError,
  BadRequestError,
  InsufficientFundsError,
  LimitReachedError,
  MaintenanceError,
  NotAllowedHereError,
  type RgsErrorFacts,
  ServerTroubleError,
  SessionOverError,
} from '../errors.ts';

/** What came back, whole. */
export type Received = { status: number; requestId: string | undefined; text: string };

/** The one table from a code to an error. */
const ERROR_CLASSES: Readonly<Record<ErrorCode, new (message: string, facts: RgsErrorFacts) => AnyRgsError>> = {
  ERR_VAL: BadRequestError,
  ERR_IPB: InsufficientFundsError,
  ERR_IS: SessionOverError,
  ERR_ATE: SessionOverError,
  ERR_GLE: LimitReachedError,
  ERR_LOC: NotAllowedHereError,
  ERR_GEN: ServerTroubleError,
  ERR_MAINTENANCE: MaintenanceError,
};

/** The answer, when it is one. @throws AnyRgsError for everything else */
export function readAnswer<Answer>(received: Received, isAnswer: (value: unknown) => value is Answer): Answer {
  const { status, requestId, text } = received;
  const body = parsed(text);
  if (status === 200) {
    if (isAnswer(body)) return body;
    throw new ServerTroubleError('the answer of the server cannot be read', { status, requestId, retryable: true });
  }
  throw refusalOf(received, body);
}

function refusalOf({ status, requestId }: Received, body: unknown): AnyRgsError {
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown };
  if (typeof error === 'string' && Object.hasOwn(ERROR_CLASSES, error)) {
    const code = error as ErrorCode;
    // As the contract says of each code; its table is long and would have to come along, so a test compares them.
    const retryable = code === 'ERR_GEN' || code === 'ERR_MAINTENANCE';
    const facts = { code, status, requestId, retryable };
    return new ERROR_CLASSES[code](typeof message === 'string' ? message : code, facts);
  }
  // Something between here and the server has answered. 408 and 429 ask to come back later; another 4xx will say the same again.
  const retryable = status < 400 || status >= 500 || status === 408 || status === 429;
  return new ServerTroubleError(`status ${status} without an error code`, { status, requestId, retryable });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
