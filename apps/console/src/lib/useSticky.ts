import { useState } from 'react';

/**
 * Returns whether the condition is true, or was at any time since the component was mounted. So a
 * button and its open modal stay, with what was typed, if somebody else acts first.
 */
export function useSticky(holds: boolean): boolean {
  const [hasHeld, setHeld] = useState(holds);
  if (holds && !hasHeld) setHeld(true);
  return holds || hasHeld;
}
