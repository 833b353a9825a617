import type { Command } from 'commander';

type Row = {
  /** The list of commands shows it after the name. */
  usage: string;
  summary: string;
  load: () => Promise<Command>;
};

/**
 * Help shows the commands in this order, and loads none: loading all of them takes longer than most
 * of them run.
 */
export const COMMANDS: Readonly<Record<string, Row>> = {
  dev: {
    usage: '[options] [folder...]',
    summary: 'serve games on this machine, with a separate database',
    load: async () => (await import('./commands/devCommand.ts')).devCommand(),
  },
  serve: {
    usage: '[options]',
    summary: 'serve games in production',
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  route: {
    usage: '[options]',
    summary: "send operators' requests to the cells of a fleet",
    load: async () => (await import('./commands/route.ts')).routeCommand(),
  },
  status: {
    usage: '[options]',
    summary: 'say whether money is safe and players are served, and what to do',
    load: async () => (await import('./commands/status.ts')).statusCommand(),
  },
  migrate: {
    usage: '[options]',
    summary: 'bring the database up to this version',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  },
  'after-restore': {
    usage: '[options]',
    summary: 'let rounds go on in a restored database, with ids that no operator has seen',
    load: async () => (await import('./commands/databaseCommands.ts')).afterRestoreCommand(),
  },
  verify: {
    usage: '[options] <folder...>',
    summary: 'check published math and print its statistics',
    load: async () => (await import('./commands/verify.ts')).verifyCommand(),
  },
  simulate: {
    usage: '[options] <folder>',
    summary: 'draw rounds from published math and compare them with its figures',
    load: async () => (await import('./commands/simulate.ts')).simulateCommand(),
  },
  rng: {
    usage: '',
    summary: 'write random numbers for a test laboratory',
    load: async () => (await import('./commands/rng.ts')).rngCommand(),
  },
  sheet: {
    usage: '[options] <folder>',
    summary: 'write the sheet of a game for operators',
    load: async () => (await import('./commands/sheet.ts')).sheetCommand(),
  },
  'verify-install': {
    usage: '[options]',
    summary: 'compare the installation with a manifest, or write one',
    load: async () => (await import('./commands/verifyInstall.ts')).verifyInstallCommand(),
  },
  tune: {
    usage: '[options] <folder>',
    summary: 'find weights that give published books another RTP',
    load: async () => (await import('./commands/tune.ts')).tuneCommand(),
  },
  'wallet-check': {
    usage: '[options] <url>',
    summary: "check an operator's wallet against the protocol, rule by rule",
    load: async () => (await import('./commands/walletCheck.ts')).walletCheckCommand(),
  },
  reconcile: {
    usage: '[options] <operator>',
    summary: "compare our wallet transactions with an operator's list",
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand(),
  },
  parked: {
    usage: '',
    summary: 'list, retry or settle wallet transactions that wait for a person',
    load: async () => (await import('./commands/parked.ts')).parkedCommand(),
  },
  rounds: {
    usage: '',
    summary: 'export the records of rounds, list and complete abandoned ones',
    load: async () => (await import('./commands/rounds.ts')).roundsCommand(),
  },
  session: {
    usage: '[options]',
    summary: 'issue a session and print its launch URL',
    load: async () => (await import('./commands/session.ts')).sessionCommand(),
  },
  report: {
    usage: '[options]',
    summary: 'rounds, bets, payouts and RTP of games',
    load: async () => (await import('./commands/report.ts')).reportCommand(),
  },
  'books-balance': {
    usage: '[options]',
    summary: 'prove that no money was lost or doubled',
    load: async () => (await import('./commands/databaseCommands.ts')).booksBalanceCommand(),
  },
  cell: {
    usage: '',
    summary: 'move players between the cells of a fleet',
    load: async () => (await import('./commands/cell.ts')).cellCommand(),
  },
  audit: {
    usage: '',
    summary: 'show, prove or export the log of significant events',
    load: async () => (await import('./commands/audit.ts')).auditCommand(),
  },
  rtp: {
    usage: '[options]',
    summary: 'compare what games returned with their lookup tables',
    load: async () => (await import('./commands/rtp.ts')).rtpCommand(),
  },
  archive: {
    usage: '[options]',
    summary: 'move old rounds out of the tables that plays write',
    load: async () => (await import('./commands/archive.ts')).archiveCommand(),
  },
  game: {
    usage: '',
    summary: 'list the published versions of games, withdraw one',
    load: async () => (await import('./commands/game.ts')).gameCommand(),
  },
  'free-rounds': {
    usage: '',
    summary: 'give free rounds to players',
    load: async () => (await import('./commands/freeRounds.ts')).freeRoundsCommand(),
  },
  maintenance: {
    usage: '',
    summary: 'switch maintenance on or off',
    load: async () => (await import('./commands/maintenance.ts')).maintenanceCommand(),
  },
  limits: {
    usage: '[options] <player>',
    summary: 'set the daily limits of a player',
    load: async () => (await import('./commands/player.ts')).limitsCommand(),
  },
  'login-expiry': {
    usage: '[options] <player> <moment>',
    summary: 'set when the login of a player expires',
    load: async () => (await import('./commands/player.ts')).loginExpiryCommand(),
  },
  revoke: {
    usage: '[options] <player>',
    summary: 'end every session of a player',
    load: async () => (await import('./commands/player.ts')).revokeCommand(),
  },
  evidence: {
    usage: '[options]',
    summary: 'write a folder for a test lab',
    load: async () => (await import('./commands/evidence.ts')).evidenceCommand(),
  },
  jurisdictions: {
    usage: '[options]',
    summary: 'print the presets of jurisdictions, with the source of each value',
    load: async () => (await import('./commands/jurisdictions.ts')).jurisdictionsCommand(),
  },
  operator: {
    usage: '',
    summary: 'set up operators',
    load: async () => (await import('./commands/operator.ts')).operatorCommand(),
  },
  user: {
    usage: '',
    summary: 'set up users of the console',
    load: async () => (await import('./commands/user.ts')).userCommand(),
  },
};
