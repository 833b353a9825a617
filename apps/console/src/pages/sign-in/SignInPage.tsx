import { useRouter, useSearch } from '@tanstack/react-router';
import { PublicPage } from '../../shell/PublicPage.tsx';
import { SignInForm } from './SignInForm.tsx';

/** Lets a person in, and leads to the page that was wanted. */
export function SignInPage() {
  const { next } = useSearch({ strict: false });
  const router = useRouter();
  return (
    <PublicPage title="Sign in">
      <SignInForm onDone={() => router.history.push(pathWithin(next))} />
    </PublicPage>
  );
}

/** Returns a path of this page only: `next` comes from the address, so it may be anything. */
export function pathWithin(next: string | undefined): string {
  if (!next?.startsWith('/')) return '/';
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}` : '/';
}
