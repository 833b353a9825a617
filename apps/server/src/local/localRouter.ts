import { DEV_ROUTES, devContract } from '@roundhouse/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import { Router } from 'express';
import { neverStored } from '../http/neverStored.ts';
import { readBody } from '../http/readBody.ts';
import { passOn } from '../http/validationFaults.ts';
import { type DevParts, devRoutes } from './localRoutes.ts';

/** The paths for local work. In production nothing mounts this router. */
export function devRouter(parts: DevParts): Router {
  const router = Router();
  for (const { method, path } of Object.values(DEV_ROUTES)) {
    if (method === 'POST') router.post(path, neverStored, readBody);
    else if (method === 'PUT') router.put(path, neverStored, readBody);
    else router.all(path, neverStored);
  }
  createExpressEndpoints(devContract, devRoutes(parts), router, {
    logInitialization: false,
    requestValidationErrorHandler: passOn,
  });
  return router;
}
