import { isRgsError } from '../errors.ts';

/** Whether the server may have done what it was asked: nothing was answered, or nothing that says. */
export function isUnanswered(error: unknown): boolean {
  return !isRgsError(error) || error.kind === 'no-network' || error.kind === 'server-trouble';
}
