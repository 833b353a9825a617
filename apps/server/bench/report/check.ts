/** A figure that has to be what it is to be. */
export type Check = { name: string; value: number; target: string; ok: boolean };
