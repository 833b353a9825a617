import type { adminContract } from '@roundhouse/contract/admin';
import type { Handlers } from '../http/endpoints.ts';
import { ok } from '../http/responses.ts';
import type { SignedIn } from './access/caller.ts';
import type { AdminDeps } from './adminDeps.ts';

/** Tells the page who the user is. */
export function accountHandlers({ twoPerson, players }: AdminDeps): Pick<Handlers<typeof adminContract>, 'getAccount'> {
  return {
    getAccount: async ({ res }) => {
      const { caller, endsAt } = res.locals.signedIn as SignedIn;
      const { userID, email, name, role, operator, hasSecondFactor } = caller;
      return ok({
        ...{ userID, email, name, role, hasSecondFactor, twoPerson },
        operator: operator?.code ?? null,
        sessionEndsAt: endsAt.toISOString(),
        playersUrl: players.publicUrl,
      });
    },
  };
}
