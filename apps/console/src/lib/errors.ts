/** The server refused the request with a status from 400 on. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** The refusal has this code, such as ERR_VAL. */
  readonly code: string;
  /** A form shows each issue at its field. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** 401: there is no session, or it has ended. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';

  constructor() {
    super('Your session has ended. Sign in again, then repeat the action.');
  }
}

/** 409: somebody else was first, or something exists already. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  /**
   * The actor of the change that won, such as `user:ann@example.com`; null when it is not known.
   */
  readonly by: string | null;
  /** When it happened, as an ISO instant; null when it is not known. */
  readonly at: string | null;
  readonly fields: RefusedError['fields'];

  constructor(message: string, by: string | null, at: string | null, fields: RefusedError['fields'] = {}) {
    super(message);
    this.fields = fields;
    this.by = by;
    this.at = at;
  }
}

/** No response came, or 503: the server or its database is away. Reads are repeated. */
export class AwayError extends Error {
  override readonly name = 'AwayError';
  /** The server responded, so its database is away. */
  readonly hasResponse: boolean;

  constructor(hasResponse: boolean) {
    super(
      hasResponse
        ? 'The server cannot reach its database at the moment.'
        : 'The server does not respond. If you sent a change, check whether it was made before you repeat it.',
    );
    this.hasResponse = hasResponse;
  }
}

type ErrorBody = { error?: unknown; message?: unknown; by?: unknown; at?: unknown; fields?: unknown };

/** Returns the error for a response that is not a success. The body may be anything. */
export function errorOf(status: number, body: unknown): Error {
  const fields: ErrorBody = typeof body === 'object' && body !== null ? body : {};
  const message = textOr(fields.message, `The server responded with status ${status}.`);
  if (status === 401) return new SignedOutError();
  const named = textsOf(fields.fields);
  if (status === 409) return new ConflictError(message, textOr(fields.by, null), textOr(fields.at, null), named);
  if (status === 502 || status === 503 || status === 504) return new AwayError(true);
  return new RefusedError(status, textOr(fields.error, 'ERR_GEN'), message, named);
}

/** What a refusal says at each field of a form, and what is left for the top of the form. */
export type Issues = { at: Record<string, string>; rest: Error | undefined };

/**
 * Sorts a refusal by the fields of a form: `limits.0.maxBetMicros` belongs to the last of its names
 * that the form has, and `bets.USD` to `bets`, whose text then begins with `USD:`.
 */
export function issuesAt(fields: readonly string[], error: Error | undefined): Issues {
  const named = error instanceof RefusedError || error instanceof ConflictError ? Object.entries(error.fields) : [];
  const at: Issues['at'] = {};
  const left: string[] = [];
  for (const [path, text] of named) {
    const names = path.split('.');
    const place = names.findLastIndex((name) => fields.includes(name));
    const words = [...names.slice(place + 1), text].join(': ');
    if (place === -1) left.push(words);
    else at[names[place] as string] ??= words;
  }
  if (Object.keys(at).length === 0) return { at, rest: error };
  return { at, rest: left.length === 0 ? undefined : new Error(left.join('. ')) };
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([field, text]) => [field, String(text)]));
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' && value !== '' ? value : other;
}
