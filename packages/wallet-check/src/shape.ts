import type * as z from 'zod';

/** What is wrong with a value, in one line; undefined when it has the shape. */
export function faultsOf(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value);
  return error?.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ');
}
