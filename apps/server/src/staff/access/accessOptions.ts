import { MS_PER_HOUR, MS_PER_MINUTE } from '../../base/durations.ts';

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
  /** Browsers open the console at this address, which has no path. */
  consoleUrl: string;
  /** A session ends after this time in milliseconds without a request of its user. */
  idleTimeoutMs: number;
  /** A session ends at this age, whatever its user does. */
  lifetimeMs: number;
  /**
   * Time in milliseconds for which wrong tries in a row keep a client out. Wrong tries of many
   * clients slow down all of them.
   */
  lockMs: number;
  /** The number of tries to sign in that one address may make in a minute. */
  triesPerMinute: number;
  oidc: OidcOptions | undefined;
  /**
   * The shortest time between two attempts to reach a provider of single sign-on that is away, in
   * milliseconds.
   */
  providerRetryMs: number;
  /** The library's own when undefined: scrypt that takes a core for a tenth of a second. */
  passwordHashing: PasswordHashing | undefined;
};

/** After this number of wrong tries in a row, an address or device is kept out of the account. */
export const MOST_TRIES = 3;
/**
 * After this number of wrong tries in a row from all addresses, those that the account does not
 * know are slowed down.
 */
export const MOST_TRIES_OF_ALL = 10;
/** It doubles with each further wrong try, up to `lockMs`. */
export const FIRST_PAUSE_MS = MS_PER_MINUTE;

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 128;

export const DEFAULT_ACCESS: Omit<AccessOptions, 'consoleUrl'> = {
  idleTimeoutMs: 30 * MS_PER_MINUTE,
  lifetimeMs: 12 * MS_PER_HOUR,
  lockMs: 15 * MS_PER_MINUTE,
  triesPerMinute: 60,
  oidc: undefined,
  providerRetryMs: 10_000,
  passwordHashing: undefined,
};
