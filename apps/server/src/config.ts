/** What the environment says. Read here and nowhere else; an option of the command line wins over it. */
export type Environment = {
  /** postgresql://… */
  databaseUrl: string | undefined;
  /** Folder of games that `serve` loads. */
  gamesFolder: string | undefined;
  /** Folder for indexed books and, with `dev`, the embedded database. */
  dataFolder: string | undefined;
  host: string | undefined;
  port: string | undefined;
  /** trace, debug, info, warn, error, fatal or silent. */
  logLevel: string | undefined;
};

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  // An empty variable is one that was not set: that is how compose files and CI pass it.
  const read = (name: string) => env[name] || undefined;
  return {
    databaseUrl: read('DATABASE_URL'),
    gamesFolder: read('ROUNDHOUSE_GAMES'),
    dataFolder: read('ROUNDHOUSE_DATA'),
    host: read('ROUNDHOUSE_LISTEN_HOST'),
    port: read('ROUNDHOUSE_LISTEN_PORT'),
    logLevel: read('ROUNDHOUSE_LOG_LEVEL'),
  };
}
