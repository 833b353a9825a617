import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** `pathOf` makes the path of the console with its search. */
  to: string;
  ref?: Ref<HTMLAnchorElement>;
};

/** A link inside the console whose path is made at run time. Works as `component` of Mantine's. */
export function PathLink({ to, onClick, children, ...rest }: Props) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event) || rest.target === '_blank') return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}

/** The browser handles a click with a modifier: it opens a tab or a window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
