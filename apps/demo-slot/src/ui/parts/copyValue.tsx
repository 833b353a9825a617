import { useRef, useState } from 'preact/hooks';
import { useUi } from '../uiContext.ts';

type CopyValueProps = {
  readonly name: string;
  readonly value: string;
  /** A title shows the name already, so only screen readers get it here. */
  readonly isNamed?: boolean;
};

/** Shows a name with a value in a `dl`, and a button that copies the value. */
export function CopyValue({ name, value, isNamed = false }: CopyValueProps) {
  const { t } = useUi();
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<string>();
  return (
    <div class="copyValue">
      <dt class={isNamed ? 'unseen' : undefined}>{name}</dt>
      <dd>
        <bdi ref={shown} class="copyText">
          {value}
        </bdi>
        <button
          type="button"
          class="copyKey"
          onClick={() => void copy(value, shown.current).then((isDone) => setCopied(isDone ? value : undefined))}
        >
          <span aria-live="polite">{t(copied === value ? 'fairCopied' : 'fairCopy')}</span>
          <span class="unseen"> {name}</span>
        </button>
      </dd>
    </div>
  );
}

/**
 * Copies a text, and returns whether that worked. A page by http, or in a frame without the
 * permission, has no clipboard: then the text is selected, and the older command copies it.
 */
async function copy(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (element) getSelection()?.selectAllChildren(element);
    return document.execCommand('copy');
  }
}
