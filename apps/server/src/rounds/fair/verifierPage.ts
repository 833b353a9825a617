import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import { beingBuilt } from '../../base/http/beingBuilt.ts';

const PAGE_FILE = fileURLToPath(new URL('../../../pages/verifier/index.html', import.meta.url));
const PATH = '/fairness/verifier';
const DOWNLOAD_NAME = 'roundhouse-verifier.html';

/**
 * Serves the page that checks fair rounds in the player's browser. It is one file: `?download`
 * sends it to be kept, and it then works without this server. Its content policy is in the file,
 * and also comes as a header.
 */
export function verifierRouter(): Router {
  const router = Router();
  let read: VerifierPage | undefined;
  const sendPage: RequestHandler = (request, response, next) => {
    // A checkout may be served before its pages are built.
    if (read === undefined && existsSync(PAGE_FILE)) read = readPage();
    if (read === undefined) return next();
    response.set(read.headers).type('html');
    if (request.query.download !== undefined) response.attachment(DOWNLOAD_NAME);
    response.send(read.page);
  };
  router.get(PATH, compression(), sendPage, beingBuilt('verifier'));
  return router;
}

type VerifierPage = { page: string; headers: Record<string, string> };

function readPage(): VerifierPage {
  const page = readFileSync(PAGE_FILE, 'utf8');
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  if (policy === undefined) throw new Error(`${PAGE_FILE} has no content security policy`);
  const headers = {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    // The files of a package all have the same time, so only the content tells versions apart.
    'Cache-Control': 'no-cache',
    ETag: `"${createHash('sha256').update(page).digest('base64url')}"`,
  };
  return { page, headers };
}
