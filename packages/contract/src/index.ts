/** The contract has what crosses the wire: schemas, routes, codes and the rules of both ends. */
export * from './demo.ts';
export * from './dev.ts';
export * from './fairness.ts';
export * from './faults.ts';
export * from './fields.ts';
export * from './game.ts';
export * from './grants.ts';
export * from './isoCurrencies.ts';
export * from './light.ts';
export * from './operator/freeRoundSchemas.ts';
export * from './operator/operatorContract.ts';
export * from './operator/operatorSchemas.ts';
export * from './operator/signature.ts';
export * from './operator/walletContract.ts';
export * from './operator/walletSchemas.ts';
export * from './plainText.ts';
export * from './refusals.ts';
