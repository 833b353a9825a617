import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './art.tsx';

/**
 * Makes a button rest: screen readers announce it as disabled and it does nothing, but it keeps the
 * focus. Almost all buttons around the reels rest in every round, and a disabled button would lose
 * the focus to the page.
 */
export function restable({ isResting, onPress }: { isResting: boolean; onPress: () => void }) {
  return {
    'aria-disabled': isResting ? ('true' as const) : undefined,
    onClick: () => {
      if (!isResting) onPress();
    },
  };
}

/**
 * A key that is still held down from an earlier press presses nothing: it would open and close a
 * dialog again and again, confirm it, or start round after round.
 */
export function ignoreHeldKey(event: KeyboardEvent): void {
  const isPress = event.key === 'Enter' || event.key === ' ';
  if (event.repeat && isPress && event.target instanceof HTMLButtonElement) event.preventDefault();
}

type RoundKeyProps = {
  readonly icon: IconName;
  readonly name: string;
  readonly onPress: () => void;
  readonly kind?: string;
  /** See {@link restable}. */
  readonly isResting?: boolean;
  readonly isLit?: boolean;
  readonly opensDialog?: boolean;
  readonly isDialogOpen?: boolean;
};

/** Shows a small round key with a picture on it. */
export function RoundKey({ icon, name, onPress, kind = '', isResting = false, isLit, ...dialog }: RoundKeyProps) {
  return (
    <button
      type="button"
      class={`key ${kind}`}
      aria-label={name}
      title={name}
      aria-haspopup={dialog.opensDialog ? 'dialog' : undefined}
      aria-expanded={dialog.opensDialog ? dialog.isDialogOpen : undefined}
      data-lit={isLit ? '' : undefined}
      {...restable({ isResting, onPress })}
    >
      <Icon name={icon} />
    </button>
  );
}

type TextButtonProps = {
  readonly onPress: () => void;
  /** Marks the recommended one. */
  readonly isMain?: boolean;
  /** Gets the focus when it is shown. */
  readonly isFirst?: boolean;
  /** See {@link restable}. */
  readonly isResting?: boolean;
  /** The text with this id says why the button rests. */
  readonly describedBy?: string | undefined;
  readonly kind?: string;
  readonly children: ComponentChildren;
};

export function TextButton({ isMain, isFirst = false, kind = '', children, ...press }: TextButtonProps) {
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (!isFirst || !button.current) return;
    // In a dialog, which opens after this, the attribute counts; elsewhere the call does.
    button.current.autofocus = true;
    button.current.focus();
  }, [isFirst]);

  return (
    <button
      ref={button}
      type="button"
      class={`button ${kind}`}
      data-main={isMain ? '' : undefined}
      aria-describedby={press.describedBy}
      {...restable({ isResting: press.isResting ?? false, onPress: press.onPress })}
    >
      {children}
    </button>
  );
}
