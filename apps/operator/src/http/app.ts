import { healthRouter, requestLog, singleProbe } from '@roundhouse/service';
import express, { type Express } from 'express';
import { answerFileErrors } from './apiErrors.ts';
import { apiRouter } from './apiRouter.ts';
import type { HttpDeps } from './httpDeps.ts';
import { pageRouter } from './page.ts';
import { walletRouter } from './walletRouter.ts';

export function createApp(deps: HttpDeps): Express {
  const isReachable = singleProbe(() => deps.books.db.$queryRaw`SELECT 1`);
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(deps));
  app.use((_req, res, next) => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  });
  app.use('/wallet', walletRouter(deps));
  app.use('/api', apiRouter(deps));
  app.use(healthRouter(async () => ((await isReachable()) ? undefined : 'the database cannot be reached')));
  app.use(pageRouter(deps));
  app.use((_req, res) => {
    res.status(404).json({ error: 'ERR_VAL', message: 'there is nothing at this path' });
  });
  app.use(answerFileErrors(deps));
  return app;
}
