import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { beingBuilt } from '../../base/http/beingBuilt.ts';

const PAGE_FOLDER = fileURLToPath(new URL('../../../pages/console', import.meta.url));
const PAGE_FILE = `${PAGE_FOLDER}/index.html`;
const DOCUMENT = fileURLToPath(new URL('../../../console-openapi.json', import.meta.url));
const NONCE_BYTES = 18;
const NONCE_MARK = '__CSP_NONCE__';

/**
 * Serves the page of the console. Every path that is not a file is the page itself: its router
 * reads the path. `playersOrigin` may be framed, for replays.
 */
export function pageRouter({ playersOrigin }: { playersOrigin: string }): Router {
  const router = Router();
  // No file changes while the process runs. The hash in its name tells two builds apart.
  router.use('/assets', express.static(`${PAGE_FOLDER}/assets`, { immutable: true, maxAge: '1y', fallthrough: false }));
  router.use(express.static(PAGE_FOLDER, { index: false, redirect: false }));
  router.get('/openapi.json', (_req, res) => res.type('json').send(readFileSync(DOCUMENT)));
  let page: string | undefined;
  const sendPage: RequestHandler = (_req, res, next) => {
    // A checkout may be served before its pages are built.
    if (page === undefined && !existsSync(PAGE_FILE)) return next();
    page ??= readFileSync(PAGE_FILE, 'utf8');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    res.setHeader('Content-Security-Policy', policy({ nonce, playersOrigin }));
    res.setHeader('Cache-Control', 'no-store');
    res.type('html').send(page.replaceAll(NONCE_MARK, nonce));
  };
  router.get(/^\/(?!admin\/|api\/)/, sendPage, beingBuilt('console'));
  return router;
}

/** Styles of the component library need the nonce; no script does. */
function policy({ nonce, playersOrigin }: { nonce: string; playersOrigin: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${playersOrigin}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
