/** What crosses the wire: schemas, routes, codes and the rules that both ends share. */
export * from './demo.ts';
export * from './dev.ts';
export * from './faults.ts';
export * from './fields.ts';
export * from './game.ts';
export * from './isoCurrencies.ts';
export * from './light.ts';
export * from './operator/operatorContract.ts';
export * from './operator/operatorSchemas.ts';
export * from './operator/signature.ts';
export * from './operator/walletContract.ts';
export * from './operator/walletSchemas.ts';
