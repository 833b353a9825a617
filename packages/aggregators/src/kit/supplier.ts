import { request } from 'undici';
import type { World } from './aggregator.ts';

export type SupplierRequest = {
  method?: 'GET' | 'POST';
  /** It follows the supplier's URL. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type SupplierResponse = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** The server said no. The message has its response. */
export class SupplierRefusal extends Error {
  override name = 'SupplierRefusal';
}

const TIMEOUT_MS = 30_000;

/** Sends a request of the aggregator to the server. */
export async function callSupplier(
  { supplierUrl }: Pick<World, 'supplierUrl'>,
  { method = 'POST', path, headers = {}, body = '' }: SupplierRequest,
): Promise<SupplierResponse> {
  const response = await request(`${supplierUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body }),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return { status: response.statusCode, headers: response.headers, body: await response.body.text() };
}
