export const MS_PER_MINUTE = 60_000;
