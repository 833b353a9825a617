/** The parts of a run, in the order in which they are measured; floor, naive and http are measured in one turn. */
export const SECTIONS = ['floor', 'naive', 'http', 'latency', 'seamless', 'isolation', 'growth'] as const;

export type Section = (typeof SECTIONS)[number];

/** Filling large databases takes minutes: only when it is asked for. */
export const BY_DEFAULT = SECTIONS.filter((section) => section !== 'growth');
