import { hash, timingSafeEqual } from 'node:crypto';

/** Compares a secret or a signature with what was sent, in a time that tells nothing of either. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
