/** Repeats package.json, which a browser does not have; a test compares the two. */
export const SDK_VERSION = '0.1.0';
