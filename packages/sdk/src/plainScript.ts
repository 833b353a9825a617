/**
 * All entries, for a page without a bundler: `dist/roundhouse.js` makes this the global
 * `Roundhouse`.
 */
export * from './duties.ts';
export * from './events.ts';
export * from './fairness.ts';
export * from './fun.ts';
export * from './grants.ts';
export * from './index.ts';
export * from './input.ts';
