import type { adminContract } from '@roundhouse/contract/admin';
import type { Handlers } from '../../base/http/endpoints.ts';
import { ok } from '../../base/http/responses.ts';
import { findWrongTries } from '../../store/staff/consoleSignIns.ts';
import type { SignedIn } from '../access/caller.ts';
import { subjectsOf } from '../access/tries.ts';
import type { AdminDeps } from './adminDeps.ts';

/** Tells the page who the user is. */
export function accountHandlers({
  db,
  twoPerson,
  secondFactor,
  players,
  currencies = [],
}: AdminDeps): Pick<Handlers<typeof adminContract>, 'getAccount'> {
  return {
    getAccount: async ({ res }) => {
      const { caller, endsAt } = res.locals.signedIn as SignedIn;
      const { userID, email, name, role, operator, hasSecondFactor, hasAuthenticator, passwordAlone } = caller;
      const tries = await findWrongTries(db, subjectsOf(email));
      return ok({
        userID,
        email,
        name,
        role,
        hasSecondFactor,
        hasAuthenticator,
        mustAddAuthenticator: secondFactor && passwordAlone,
        twoPerson,
        operator: operator?.code ?? null,
        sessionEndsAt: endsAt.toISOString(),
        playersUrl: players.publicUrl,
        currencies: [...currencies],
        wrongTries: tries === undefined ? null : { ...tries, lastAt: tries.lastAt.toISOString() },
      });
    },
  };
}
