// This is a separate process, because the package takes where to unpack, and what, from the
// environment: see bundledBrowser.ts.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
