import * as z from 'zod';
import { ADMIN_ROUTES } from './adminRoutes.ts';
import { ADMIN_REFUSALS } from './adminSchemas.ts';

export const DOWNLOAD_FORMATS = ['csv', 'xlsx'] as const;

/** The header holds about how many rows will come, when the server can tell it without counting. */
export const ROWS_HEADER = 'x-rows';

export const downloadRoutes = {
  download: {
    ...ADMIN_ROUTES.download,
    summary: 'Download a table with the filters of its list; the right is that of the list',
    pathParams: z.object({ table: z.string().max(100) }),
    query: z.looseObject({ format: z.enum(DOWNLOAD_FORMATS).default('csv') }),
    responses: { 200: z.unknown(), ...ADMIN_REFUSALS },
  },
} as const;
