import type { AdminRouteName } from '@roundhouse/contract/admin-routes';
import { useSuspenseQuery } from '@tanstack/react-query';
import { accountQuery } from '../api.ts';
import { mayUse } from '../shell/navigation.ts';

/** Returns who is signed in. Only below the signed-in part of the router, which has read it. */
export function useAccount() {
  return useSuspenseQuery(accountQuery).data;
}

/** Returns whether the user may send a request; what one may not do, the page does not show. */
export function useMay() {
  const account = useAccount();
  return (name: AdminRouteName) => mayUse(name, account);
}
