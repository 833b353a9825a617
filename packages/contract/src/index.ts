/** What crosses the wire, and what both ends must agree on. */
export * from './dev.ts';
export * from './devSchemas.ts';
export * from './fields.ts';
export * from './game.ts';
export * from './jurisdiction.ts';
export * from './light.ts';
export * from './schemas.ts';
