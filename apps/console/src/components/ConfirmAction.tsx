import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Confirmation, ConfirmModal } from './ConfirmModal.tsx';

type Props = Confirmation & {
  /** The button that opens it. */
  label: string;
  /** The button that confirms. By default the label. */
  confirmLabel?: string;
  disabled?: boolean;
  button?: ButtonProps;
};

/** A button that names the consequence and asks before it acts. */
export function ConfirmAction({ label, confirmLabel = label, disabled = false, button, ...confirmation }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...(confirmation.isDangerous && { c: 'var(--console-bad)' })}
        {...button}
        disabled={disabled}
        onClick={open}
      >
        {label}
      </Button>
      <ConfirmModal {...confirmation} isOpen={isOpen} onClose={close} confirmLabel={confirmLabel} />
    </>
  );
}
