import { useUi } from '../uiContext.ts';

/** Leads to a page of the operator in a new tab. Shows nothing where the operator names none. */
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
