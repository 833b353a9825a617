import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Confirmation, ConfirmModal } from './ConfirmModal.tsx';
import { WhyNot } from './FormButtons.tsx';

type Props = Confirmation & {
  /** The button that opens it. */
  label: string;
  /** The button that confirms. By default the label. */
  confirmLabel?: string;
  /** Why the button is disabled, in a sentence: it stands next to the button. */
  whyNot?: string | undefined;
  button?: ButtonProps;
};

/** A button that names the consequence and asks before it acts. */
export function ConfirmAction({ label, confirmLabel = label, whyNot, button, ...confirmation }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...(confirmation.isDangerous && { c: 'var(--console-bad)' })}
        {...button}
        disabled={whyNot !== undefined}
        onClick={open}
      >
        {label}
      </Button>
      <WhyNot text={whyNot} />
      <ConfirmModal {...confirmation} isOpen={isOpen} onClose={close} confirmLabel={confirmLabel} />
    </>
  );
}
