import type { Dialect } from './dialect.ts';
import { hub88 } from './hub88/hub88.ts';
import { onewallet } from './onewallet/onewallet.ts';
import { pragmatic } from './pragmatic/pragmatic.ts';
import { relax } from './relax/relax.ts';
import { roundhouse } from './roundhouse/roundhouse.ts';
import { slotegrator } from './slotegrator/slotegrator.ts';
import { softswiss } from './softswiss/softswiss.ts';

/** The server's own protocol comes first: an operator has it when it names no other. */
const DIALECTS = { roundhouse, hub88, softswiss, pragmatic, relax, slotegrator, onewallet } as const;

export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(DIALECTS, name);
}

/** @throws Error when no such dialect exists: the database names one of a later version. */
export function dialectOf(name: string): Dialect {
  if (!isDialectName(name)) throw new Error(`this version of the server has no dialect ${name}`);
  return DIALECTS[name] as unknown as Dialect;
}
