import type * as z from 'zod';
import type { Exchange } from './exchange.ts';

/**
 * The wallet breaks the rule. Thrown, as assertions are: a check is a row of steps, and what follows a failed one means nothing.
 */
export class CheckFailure extends Error {
  override name = 'CheckFailure';
  /** The calls that show it; undefined: all calls of the check. */
  readonly exchanges: readonly Exchange[] | undefined;

  constructor(why: string, exchanges?: readonly Exchange[]) {
    super(why);
    this.exchanges = exchanges;
  }
}

/** Whether the wallet obeys cannot be told with what the command was given, or what the wallet offers. */
export class NotTestable extends Error {
  override name = 'NotTestable';
}

/** What is wrong with a value, in one line; undefined when it has the shape. */
export function issuesOf(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ');
}
