import { MS_PER_MINUTE } from '../../base/durations.ts';

const MS_PER_HOUR = 3_600_000;

/** Single sign-on with any provider of OpenID Connect. */
export type OidcOptions = {
  /** Ends with /.well-known/openid-configuration. */
  discoveryUrl: string;
  clientID: string;
  clientSecret: string;
  /** The button of the page shows it. */
  name: string;
  /** Nobody signs in with a password or a passkey. */
  isOnly: boolean;
};

/** Makes a hash of a password, and checks a password against its hash. */
export type PasswordHashing = {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
};

export type AccessOptions = {
  /** Address of the console in browsers, without a path. */
  consoleUrl: string;
  /** A session ends after so long without a request of its user. */
  inactivityMs: number;
  /** A session ends at this age, whatever its user does. */
  lifetimeMs: number;
  /** Wrong tries in a row of one client keep it out for so long; those of many slow all down to it. */
  lockMs: number;
  /** So many tries to sign in one address may make in a minute. */
  triesPerMinute: number;
  oidc: OidcOptions | undefined;
  /** A provider of the single sign-on that is away is looked for at most so often. */
  providerRetryMs: number;
  /** The library's own when undefined: scrypt that takes a core for a tenth of a second. */
  passwordHashing: PasswordHashing | undefined;
};

/** So many wrong tries in a row of one address or device keep it out of the account. */
export const MOST_TRIES = 3;
/** So many wrong tries in a row of all addresses slow down those that the account does not know. */
export const MOST_TRIES_OF_ALL = 10;
/** It doubles with each further wrong try, up to `lockMs`. */
export const FIRST_PAUSE_MS = MS_PER_MINUTE;

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 128;

export const DEFAULT_ACCESS: Omit<AccessOptions, 'consoleUrl'> = {
  inactivityMs: 30 * MS_PER_MINUTE,
  lifetimeMs: 12 * MS_PER_HOUR,
  lockMs: 15 * MS_PER_MINUTE,
  triesPerMinute: 60,
  oidc: undefined,
  providerRetryMs: 10_000,
  passwordHashing: undefined,
};
