import type { RequestHandler } from 'express';
import { notFoundResponse } from './refusalResponses.ts';

/** The answer to a path that names nothing. */
export const nothingHere: RequestHandler = (_req, res) => {
  const { status, body } = notFoundResponse('there is nothing at this path');
  res.status(status).json(body);
};
