import type { RequestHandler } from 'express';

/** Balances and rounds are of the moment: no cache on the way may keep them. */
export const neverStored: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
