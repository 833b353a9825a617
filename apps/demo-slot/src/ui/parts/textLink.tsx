import { useUi } from '../uiContext.ts';

/** To a page of the operator in a new tab. Nothing where the operator names none. */
export function TextLink({ href, children }: { href: string | undefined; children: string }) {
  const { t } = useUi();
  if (href === undefined) return null;
  return (
    <a
      class="link"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('opensNewTab', { page: children })}
    >
      {children}
    </a>
  );
}
