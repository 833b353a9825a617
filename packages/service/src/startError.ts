/** An obstacle that can be expected at start (a busy port, a missing folder …). Its message is one clear line, shown without a stack. */
export class StartError extends Error {
  override name = 'StartError';
}
