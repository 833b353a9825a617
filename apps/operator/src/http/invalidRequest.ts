/** What the caller did wrong, in words for the caller. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
  readonly status: 400 | 401 | 403 | 404;

  constructor(message: string, status: 400 | 401 | 403 | 404 = 400) {
    super(message);
    this.status = status;
  }
}

type PathPart = PropertyKey | { key: PropertyKey };
type Fault = { issues?: readonly { path?: readonly PathPart[] | undefined; message: string }[] } | null | undefined;

/** What is wrong with a body, for its sender: field and rule, never the value. */
export function describeIssue(fault: Fault): string {
  const issue = fault?.issues?.[0];
  if (issue === undefined) return 'the request is not valid';
  const where = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

/** From the body reader: http-errors, with a status. */
export function bodyIssue(error: unknown): string | undefined {
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (type === 'encoding.unsupported') return 'the body has a Content-Encoding; only a plain body is taken';
  return status === 413 ? 'the body is larger than 16 KiB' : 'the request cannot be read';
}
