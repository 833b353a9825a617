import express, { type Express, type Response } from 'express';
import type { PrismaClient } from '../../dist/ledger/generated/client.js';
import { endRound } from './endRound.ts';
import { play } from './play.ts';

/**
 * What one would write in a day: Express and an interactive Prisma transaction, with the same checks, writes and answers on
 * the same tables. It is generous to itself: no log, no validation, no maintenance switches, limits or locations.
 */
export function createNaiveApp(db: PrismaClient): Express {
  const app = express();
  app.use(express.json());
  app.post('/wallet/play', async (req, res) => answer(res, await play(db, req.body)));
  app.post('/wallet/end-round', async (req, res) => answer(res, await endRound(db, req.body)));
  return app;
}

function answer(res: Response, body: object): void {
  res.status('error' in body ? 400 : 200).json(body);
}
