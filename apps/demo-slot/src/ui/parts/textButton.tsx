import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export type TextButtonProps = {
  readonly onPress: () => void;
  /** The one to press in most cases. */
  readonly isMain?: boolean;
  /** Gets the focus when it is shown. */
  readonly isFirst?: boolean;
  readonly kind?: string;
  readonly children: ComponentChildren;
};

export function TextButton({ onPress, isMain, isFirst = false, kind = '', children }: TextButtonProps) {
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (!isFirst || !button.current) return;
    // In a dialog, which opens after this, the attribute counts; elsewhere the call does.
    button.current.autofocus = true;
    button.current.focus();
  }, [isFirst]);

  return (
    <button ref={button} type="button" class={`button ${kind}`} data-main={isMain ? '' : undefined} onClick={onPress}>
      {children}
    </button>
  );
}
