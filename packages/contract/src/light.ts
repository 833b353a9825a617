/**
 * The parts of the contract that need nothing at run time: for a browser bundle, where zod alone would be the larger half.
 * The types come along for free: they are plain, so that the declarations do not name zod either.
 */
export * from './betRules.ts';
export * from './currencies.ts';
export * from './devices.ts';
export * from './errors.ts';
export * from './languages.ts';
export * from './launchTypes.ts';
export * from './launchUrl.ts';
export * from './money.ts';
export { resolveRgsUrl } from './rgsUrl.ts';
export * from './routes.ts';
export * from './text.ts';
export * from './types.ts';
