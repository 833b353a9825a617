import { healthRouter, requestLog, singleProbe } from '@roundhouse/service';
import express, { type Express } from 'express';
import { answerFileErrors } from './apiErrors.ts';
import { apiRouter } from './apiRouter.ts';
import type { HttpParts } from './httpParts.ts';
import { pageRouter } from './page.ts';
import { walletRouter } from './walletRouter.ts';

export function createApp(parts: HttpParts): Express {
  const isReachable = singleProbe(() => parts.books.db.$queryRaw`SELECT 1`);
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(parts));
  app.use((_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use('/wallet', walletRouter(parts));
  app.use('/api', apiRouter(parts));
  app.use(healthRouter(async () => ((await isReachable()) ? undefined : 'the database cannot be reached')));
  app.use(pageRouter(parts));
  app.use((_req, res) => {
    res.status(404).json({ error: 'ERR_VAL', message: 'there is nothing at this path' });
  });
  app.use(answerFileErrors(parts));
  return app;
}
