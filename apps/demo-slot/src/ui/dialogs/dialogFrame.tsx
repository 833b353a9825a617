import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ignoreHeldKey, RoundKey, TextButton } from '../parts/buttons.tsx';
import { useUi } from '../uiContext.ts';

export type DialogFrameProps = {
  readonly title: string;
  readonly kind: string;
  /**
   * False when the dialog cannot be closed: no close button, and Escape and a press beside it do
   * nothing.
   */
  readonly canClose?: boolean;
  /** An alert dialog needs an answer. */
  readonly isAlert?: boolean;
  /** Closes the dialog by its close button, Escape, or a press beside it. */
  readonly onClose?: () => void;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** Shows a modal dialog of the browser: it keeps the focus inside and returns it at the end. */
export function DialogFrame({
  title,
  kind,
  canClose = true,
  isAlert = false,
  actions,
  children,
  ...props
}: DialogFrameProps) {
  const { actions: game, t } = useUi();
  const close = props.onClose ?? game.closeDialog;
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressBeside = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  // The model closes the dialog by removing it. A browser may close it despite the cancel event
  // (Escape pressed twice).
  const stayOpen = () => {
    if (dialog.current?.isConnected && !dialog.current.open) dialog.current.showModal();
  };
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby="dialogTitle"
      onCancel={(event) => {
        event.preventDefault();
        if (canClose) close();
      }}
      onClose={stayOpen}
      onKeyDown={ignoreHeldKey}
      onPointerDown={(event) => {
        isPressBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (canClose && isPressBeside.current && event.target === dialog.current) close();
      }}
    >
      <div class="dialogSheet">
        <div class="dialogHead">
          <h2 id="dialogTitle">{title}</h2>
          {canClose && <RoundKey kind="closeKey" icon="close" name={t('close')} onPress={close} />}
        </div>
        <div class="dialogBody">{children}</div>
        {actions && <div class="dialogFoot">{actions}</div>}
      </div>
    </dialog>
  );
}

type AskDialogProps = Pick<DialogFrameProps, 'title' | 'children'> & {
  readonly kind?: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
};

/** Shows a question before something that costs. Cancel has the focus. */
export function AskDialog({ title, kind = '', confirm, onConfirm, children }: AskDialogProps) {
  const { actions, t } = useUi();
  return (
    <DialogFrame
      kind={`askDialog ${kind}`}
      title={title}
      actions={
        <>
          <TextButton isFirst onPress={actions.closeDialog}>
            {t('cancel')}
          </TextButton>
          <TextButton isMain onPress={onConfirm}>
            {confirm}
          </TextButton>
        </>
      }
    >
      {children}
    </DialogFrame>
  );
}
