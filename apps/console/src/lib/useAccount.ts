import type { AdminRouteName } from '@roundhouse/contract/admin-routes';
import { useSuspenseQuery } from '@tanstack/react-query';
import { accountQuery } from '../api.ts';
import { mayUse } from '../shell/navigation.ts';

/**
 * Returns who is signed in. Only for pages that need a session: the router has read the account.
 */
export function useAccount() {
  return useSuspenseQuery(accountQuery).data;
}

/** Returns whether the user may send a request. The page hides what they may not do. */
export function useMay() {
  const account = useAccount();
  return (name: AdminRouteName) => mayUse(name, account);
}
