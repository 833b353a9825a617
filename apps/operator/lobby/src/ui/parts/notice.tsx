import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

type NoticeProps = { children: ComponentChildren; action?: { label: string; onPress: () => void } | undefined };

/** Something went wrong, or is about to surprise. */
export function Notice({ children, action }: NoticeProps) {
  return (
    <div class="notice" role="alert">
      <Icon name="warning" />
      <p>{children}</p>
      {action && (
        <button type="button" class="button quiet" onClick={action.onPress}>
          {action.label}
        </button>
      )}
    </div>
  );
}
