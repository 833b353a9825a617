/** An error to expect at start: a busy port, a missing folder. Its message is one line, shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
