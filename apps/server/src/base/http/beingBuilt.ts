import type { RequestHandler } from 'express';
import { html } from '../htmlText.ts';

/** `npm start` builds these pages while the server runs already. */
export type PageName = 'console' | 'docs' | 'verifier';

/** A part that is not there yet. `text` is for people, such as "being built, 20 s". */
export type BeingBuilt = { title: string; text: string; page?: PageName };

let parts: readonly BeingBuilt[] = [];

/** Sets which pages are being built: a fact of the checkout, and so of the whole process. */
export function setBeingBuilt(now: readonly BeingBuilt[]): void {
  parts = now;
}

/**
 * Says that a page is being built, and shows the page itself once it is there. Mount it behind the
 * handler that serves the page, which passes on what it does not have.
 */
export function beingBuilt(page: PageName): RequestHandler {
  return (_req, res, next) => {
    const part = parts.find((each) => each.page === page);
    if (part === undefined) return next();
    const says = `${html(part.title)}: ${html(part.text)}`;
    res
      .status(503)
      .set({ 'Retry-After': '2', 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" })
      .type('html')
      .send(
        `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>${says}</title><p>${says}`,
      );
  };
}
