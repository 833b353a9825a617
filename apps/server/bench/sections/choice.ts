/** The parts of a run, in the order in which they are measured; floor, naive and http are measured in one turn. */
export const SECTIONS = ['floor', 'naive', 'http', 'latency', 'seamless', 'isolation', 'books', 'growth'] as const;

export type Section = (typeof SECTIONS)[number];

/** What takes minutes to fill, and several GB, is measured only when it is asked for. */
const LARGE: readonly Section[] = ['books', 'growth'];
export const BY_DEFAULT = SECTIONS.filter((section) => !LARGE.includes(section));
