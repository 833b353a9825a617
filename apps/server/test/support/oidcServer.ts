import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { freePort } from './roundhouse.ts';

export const CLIENT_ID = 'roundhouse-console';
export const CLIENT_SECRET = 'a secret of the console at the provider';
const SECONDS = 600;
const KEY_ID = 'key-1';

export type OidcPerson = { email?: string; email_verified?: boolean; name?: string };
type Tokens = { id_token?: string };

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>;

/**
 * Starts a real provider of OpenID Connect, for one client whose page comes back to `redirectUri`.
 */
export async function startOidcServer({ redirectUri, port: given }: { redirectUri: string; port?: number }) {
  const port = given ?? (await freePort());
  const issuer = `http://localhost:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const people = new Map<string, OidcPerson>();
  const state = {
    /** The person who signs in at the provider. */
    person: '',
    /** Changes what the console gets instead of the provider's tokens. */
    changeTokens: undefined as ((tokens: Tokens) => Promise<Tokens>) | undefined,
    changeUserInfo: undefined as ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined,
  };
  const configuration: Configuration = {
    clients: [
      {
        ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [redirectUri] },
        ...{ response_types: ['code'], grant_types: ['authorization_code'] },
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [jwk] } as NonNullable<Configuration['jwks']>,
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    ttl: { Interaction: SECONDS, Grant: SECONDS, Session: SECONDS, AccessToken: SECONDS, IdToken: SECONDS },
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    // The client is the operator's own, so it requests no consent.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        ...(ctx.oidc.session?.accountId && { accountId: ctx.oidc.session.accountId }),
        ...(ctx.oidc.client && { clientId: ctx.oidc.client.clientId }),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    await next();
    const { route } = (ctx as { oidc?: { route?: string } }).oidc ?? {};
    if (ctx.status !== 200) return;
    if (route === 'token' && state.changeTokens) ctx.body = await state.changeTokens(ctx.body as Tokens);
    if (route === 'userinfo' && state.changeUserInfo) {
      ctx.body = state.changeUserInfo(ctx.body as Record<string, unknown>);
    }
  });
  const handle = provider.callback();
  const server = createServer((req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void handle(req, res);
    const result = { login: { accountId: state.person } };
    void provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...{ issuer, discoveryUrl: `${issuer}/.well-known/openid-configuration`, people, state },
    /** Signs an ID token with the key of the provider. */
    sign: (claims: JWTPayload) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(privateKey),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
