import type { RequestHandler } from 'express';

/** No browser takes an answer for something else than its Content-Type says, whether it is a page, a file or data. */
export const neverSniffed: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};
