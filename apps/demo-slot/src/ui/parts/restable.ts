/**
 * What makes a button rest: it is announced as disabled and does nothing, but keeps the keyboard's focus. Almost all keys around
 * the reels rest in every round; truly disabled, the one that was pressed last would send the focus to the top of the page.
 */
export function restable({ isResting, onPress }: { isResting: boolean; onPress: () => void }) {
  return {
    'aria-disabled': isResting ? ('true' as const) : undefined,
    onClick: () => {
      if (!isResting) onPress();
    },
  };
}
