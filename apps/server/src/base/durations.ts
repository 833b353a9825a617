/** Lengths of time in milliseconds. A day has 24 hours: nothing here follows a calendar. */
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 60 * MS_PER_MINUTE;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
