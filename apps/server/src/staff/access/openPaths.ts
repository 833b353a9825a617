import type { OidcOptions } from './accessOptions.ts';
import { OIDC_PROVIDER } from './oidc.ts';

/**
 * The library has more paths than the console needs. Only these are open; a path that a later
 * version of the library adds is closed until somebody has read what it does.
 */
const ALWAYS = ['GET /get-session', 'POST /sign-out', 'POST /update-user'];

const WITH_PASSWORDS = [
  'POST /sign-in/email',
  'POST /reset-password',
  'POST /change-password',
  'POST /two-factor/enable',
  'POST /two-factor/disable',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /two-factor/generate-backup-codes',
  'GET /passkey/generate-register-options',
  'POST /passkey/verify-registration',
  'GET /passkey/generate-authenticate-options',
  'POST /passkey/verify-authentication',
  'GET /passkey/list-user-passkeys',
  'POST /passkey/update-passkey',
  'POST /passkey/delete-passkey',
];

const WITH_SINGLE_SIGN_ON = ['POST /sign-in/social', `GET /callback/${OIDC_PROVIDER}`];

/** A client can guess a secret on these paths. */
const TRIES = new Set([
  '/sign-in/email',
  '/sign-in/social',
  `/callback/${OIDC_PROVIDER}`,
  '/reset-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

export function openPaths(oidc: OidcOptions | undefined): string[] {
  return [...ALWAYS, ...(oidc?.isOnly ? [] : WITH_PASSWORDS), ...(oidc === undefined ? [] : WITH_SINGLE_SIGN_ON)];
}

export function isOpen(method: string, path: string, oidc: OidcOptions | undefined): boolean {
  return openPaths(oidc).includes(`${method} ${path}`);
}

export function isTry(path: string): boolean {
  return TRIES.has(path);
}

/** A page sends these to sign in. */
export function beginsSession(path: string): boolean {
  return path.startsWith('/sign-in/') || path === '/passkey/verify-authentication';
}

/** These paths need the provider of the single sign-on. */
export function isOfProvider(path: string): boolean {
  return WITH_SINGLE_SIGN_ON.some((each) => each.endsWith(` ${path}`));
}
