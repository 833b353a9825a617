import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { decodeJwt } from 'jose';
import type { OidcOptions } from './accessOptions.ts';

/** It is part of the callback: <console url>/api/auth/callback/oidc. */
export const OIDC_PROVIDER = 'oidc';
const USER_INFO_TIMEOUT_MS = 10_000;

type Claims = { sub?: unknown; email?: unknown; email_verified?: unknown; aud?: unknown; azp?: unknown };

/**
 * Single sign-on by the discovery document of a provider. The library sends state, PKCE and nonce
 * and verifies signature, issuer, audience, expiry and nonce of the ID token. This code also
 * refuses a response without an ID token, and an address that the provider has not verified
 * (decision 028).
 */
export function oidcPlugin({ discoveryUrl, clientID, clientSecret }: OidcOptions) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl,
        clientId: clientID,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        disableSignUp: true,
        disableImplicitSignUp: true,
        async getUserInfo({ idToken, accessToken }) {
          if (idToken === undefined) return null;
          const token: Claims = decodeJwt(idToken);
          if (Array.isArray(token.aud) && token.aud.length > 1 && token.azp !== clientID) return null;
          const { sub, email } = token;
          const claims = email === undefined ? await userInfo({ discoveryUrl, accessToken }) : token;
          // A verified address is the link to the user, so it must be the same person's.
          if (typeof sub !== 'string' || claims?.sub !== sub) return null;
          if (typeof claims.email !== 'string' || claims.email_verified !== true) return null;
          return { id: sub, sub, email: claims.email.toLowerCase(), emailVerified: true, name: claims.email };
        },
      },
    ],
  });
}

/** Many providers keep the address out of the ID token. */
async function userInfo({ discoveryUrl, accessToken }: { discoveryUrl: string; accessToken: string | undefined }) {
  const signal = AbortSignal.timeout(USER_INFO_TIMEOUT_MS);
  const discovery = await fetch(discoveryUrl, { signal });
  const { userinfo_endpoint: address } = (await discovery.json()) as { userinfo_endpoint?: string };
  if (address === undefined || accessToken === undefined) return undefined;
  const response = await fetch(address, { headers: { Authorization: `Bearer ${accessToken}` }, signal });
  return response.ok ? ((await response.json()) as Claims) : undefined;
}
