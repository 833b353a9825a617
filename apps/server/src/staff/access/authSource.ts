import { setTimeout } from 'node:timers/promises';
import { type Auth, type AuthDeps, makeAuth } from './auth.ts';

const DISCOVERY_TIMEOUT_MS = 5_000;

export type AuthSource = {
  /** Returns the library as it is set up at this moment. */
  current(): Auth;
  /** Looks for the provider of the single sign-on first, when it has not responded yet. */
  withProvider(): Promise<Auth>;
};

/**
 * Sets the library up. It has no provider at first, and is set up anew when the provider responds:
 * a silent provider keeps nobody from signing in with a password (decision 028).
 */
export function createAuthSource(deps: AuthDeps): AuthSource {
  const { options, log } = deps;
  const { oidc, providerRetryMs } = options;
  let auth = makeAuth({ ...deps, hasProvider: false });
  let isKnown = oidc === undefined;
  let looking: Promise<void> | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const look = async (discoveryUrl: string) => {
    lookedAtMs = performance.now();
    try {
      const { ok, status } = await fetch(discoveryUrl, { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) });
      if (!ok) throw new Error(`it responded with ${status}`);
      const next = makeAuth({ ...deps, hasProvider: true });
      const { socialProviders } = await Promise.race([next.$context, tooLong()]);
      if (socialProviders.length === 0) throw new Error('its discovery document cannot be used');
      auth = next;
      isKnown = true;
    } catch (err) {
      log.warn({ err, discoveryUrl }, 'the provider of the single sign-on does not respond');
    }
  };
  return {
    current: () => auth,
    async withProvider() {
      if (!isKnown && oidc !== undefined && performance.now() - lookedAtMs >= providerRetryMs) {
        looking = look(oidc.discoveryUrl);
      }
      await looking;
      return auth;
    },
  };
}

async function tooLong(): Promise<never> {
  await setTimeout(DISCOVERY_TIMEOUT_MS, undefined, { ref: false });
  throw new Error('its discovery document takes too long');
}
