/** What the caller did wrong, in words for the caller. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
  readonly status: 400 | 401 | 403 | 404;

  constructor(message: string, status: 400 | 401 | 403 | 404 = 400) {
    super(message);
    this.status = status;
  }
}
