/** The contract of the console: its requests, and the rights to send them. */
export * from './account.ts';
export * from './adminContract.ts';
export * from './adminRoutes.ts';
export * from './adminSchemas.ts';
export * from './approvals.ts';
export * from './downloads.ts';
export * from './events.ts';
export * from './freeRounds.ts';
export * from './games.ts';
export * from './operatorSettings.ts';
export * from './operators.ts';
export * from './players.ts';
export * from './reconcile.ts';
export * from './reports.ts';
export * from './rounds.ts';
export * from './users.ts';
export * from './walletTransactions.ts';
