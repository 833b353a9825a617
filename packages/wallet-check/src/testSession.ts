import {
  signCall,
  type TestSessionResponse,
  testSessionResponseSchema,
  WALLET_TEST_ROUTES,
} from '@roundhouse/contract';
import { parseJson } from './exchange.ts';
import { createPoster } from './wire/poster.ts';

type TestSessionOptions = {
  /** `/test-session` follows it. */
  baseUrl: string;
  secret: string;
  gameID: string;
  /** As CheckOptions has it. */
  timeoutMs?: number | undefined;
};

/** `why` is one line, for a person. */
type TestSession = ({ ok: true } & TestSessionResponse) | { ok: false; why: string };

/** Asks a wallet for a session of a test player. Never rejects. */
export async function requestTestSession({
  baseUrl,
  secret,
  gameID,
  timeoutMs,
}: TestSessionOptions): Promise<TestSession> {
  const { method, path } = WALLET_TEST_ROUTES.testSession;
  const body = JSON.stringify({ gameID });
  const poster = createPoster({ baseUrl, timeoutMs });
  const headers = () => ({
    'content-type': 'application/json',
    ...signCall(
      { direction: 'to-operator', method, path, body },
      { secret, nowSeconds: Math.floor(Date.now() / 1000) },
    ),
  });
  const exchange = await poster.post({ path, body, headers });
  await poster.close();
  if (exchange.kind !== 'responded') return { ok: false, why: exchange.detail };
  const { httpStatus, text } = exchange;
  if (httpStatus === 404) return { ok: false, why: `the wallet has no ${path} (404)` };
  const parsed = testSessionResponseSchema.safeParse(parseJson(text));
  const isSession = httpStatus === 200 && parsed.success;
  return isSession ? { ok: true, ...parsed.data } : { ok: false, why: `${path} answered ${httpStatus}, not a session` };
}
