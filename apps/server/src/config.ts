/** What the environment says. Read here and nowhere else; an option of the command line wins over it. */
export type Environment = {
  /** postgresql://… */
  databaseUrl: string | undefined;
  /** Keys of operators' secrets in the database, 64 hexadecimal digits each, with commas: the first encrypts, each decrypts. */
  secretsKey: string | undefined;
  /** Folder of games that `serve` loads. */
  gamesFolder: string | undefined;
  /** Folder for indexed books and, with `dev`, the embedded database. */
  dataFolder: string | undefined;
  host: string | undefined;
  port: string | undefined;
  /** Address of `serve` for browsers, when it is behind a proxy: http:// or https://, with a path or not. */
  publicUrl: string | undefined;
  /** trace, debug, info, warn, error, fatal or silent. */
  logLevel: string | undefined;
  /** Proxies in front of `serve` whose X-Forwarded-For counts: addresses, CIDR ranges, `loopback`; with commas. */
  trustedProxies: string | undefined;
  /** Seconds for which `serve` goes on answering, not ready any more, before it closes its port. */
  drainSeconds: string | undefined;
  /** Connections that a process of `serve` keeps open at the same time. */
  maxConnections: string | undefined;
  /** Seconds that a statement of a player's request may take in the database. */
  databaseSeconds: string | undefined;
  /** Days for which sessions and launches are kept after they have expired. */
  sessionRetentionDays: string | undefined;
  /** Unknown sessions of one address in a second about which a process of `serve` asks operators; 0 is no limit. */
  strangersPerSecond: string | undefined;
  /** Processes of `serve` that share its port. */
  workers: string | undefined;
  /** In percent: `serve` refuses a game of which a mode returns more. */
  maxRtp: string | undefined;
};

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  // An empty variable is one that was not set: that is how compose files and CI pass it.
  const read = (name: string) => env[name] || undefined;
  return {
    databaseUrl: read('DATABASE_URL'),
    secretsKey: read('ROUNDHOUSE_SECRETS_KEY'),
    gamesFolder: read('ROUNDHOUSE_GAMES'),
    dataFolder: read('ROUNDHOUSE_DATA'),
    host: read('ROUNDHOUSE_LISTEN_HOST'),
    port: read('ROUNDHOUSE_LISTEN_PORT'),
    publicUrl: read('ROUNDHOUSE_PUBLIC_URL'),
    logLevel: read('ROUNDHOUSE_LOG_LEVEL'),
    trustedProxies: read('ROUNDHOUSE_TRUSTED_PROXIES'),
    drainSeconds: read('ROUNDHOUSE_DRAIN_SECONDS'),
    maxConnections: read('ROUNDHOUSE_MAX_CONNECTIONS'),
    sessionRetentionDays: read('ROUNDHOUSE_SESSION_RETENTION_DAYS'),
    databaseSeconds: read('ROUNDHOUSE_DATABASE_SECONDS'),
    strangersPerSecond: read('ROUNDHOUSE_UNKNOWN_SESSIONS_PER_SECOND'),
    workers: read('ROUNDHOUSE_WORKERS'),
    maxRtp: read('ROUNDHOUSE_MAX_RTP'),
  };
}
