import { Icon, type IconName } from './icon.tsx';
import { restable } from './restable.ts';

export type RoundKeyProps = {
  readonly icon: IconName;
  readonly name: string;
  readonly onPress: () => void;
  readonly kind?: string;
  /** Can do nothing now. See {@link restable}. */
  readonly isResting?: boolean;
  readonly isLit?: boolean;
  readonly opensDialog?: boolean;
  readonly isDialogOpen?: boolean;
};

/** A small round key with a picture on it. */
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
