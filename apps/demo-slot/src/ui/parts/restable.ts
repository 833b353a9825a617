/**
 * Makes a button rest: it is announced as disabled and does nothing, but keeps the focus. Almost
 * all buttons around the reels rest in every round. A disabled button would send the focus to the
 * top of the page.
 */
export function restable({ isResting, onPress }: { isResting: boolean; onPress: () => void }) {
  return {
    'aria-disabled': isResting ? ('true' as const) : undefined,
    onClick: () => {
      if (!isResting) onPress();
    },
  };
}
