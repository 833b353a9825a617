import { useState } from 'react';

/**
 * Returns whether the condition holds, or has held since the component was mounted. A button that
 * stays keeps its open modal, with what was typed, when somebody else is faster.
 */
export function useSticky(holds: boolean): boolean {
  const [hasHeld, setHeld] = useState(holds);
  if (holds && !hasHeld) setHeld(true);
  return holds || hasHeld;
}
