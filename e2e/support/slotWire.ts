import type { Page, Route } from '@playwright/test';

export type Held = {
  /** Resolves when the first request is there. */
  readonly arrived: Promise<void>;
  /** Lets waiting and later requests through. */
  release: () => void;
};

/** Holds the page's requests to this path until they are released. */
export async function holdRequests(page: Page, path: string): Promise<Held> {
  return hold(page, path, async (route, released) => {
    await released;
    // The page may have left by now.
    await route.continue().catch(() => undefined);
  });
}

/** Lets the server work and holds its responses. The page may have left when they are released. */
export async function holdResponses(page: Page, path: string): Promise<Held> {
  return hold(page, path, async (route, released) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response }).catch(() => undefined);
  });
}

async function hold(
  page: Page,
  path: string,
  handle: (route: Route, released: Promise<void>) => Promise<void>,
): Promise<Held> {
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, (route) => {
    const handled = handle(route, released);
    arrive();
    return handled;
  });
  return { arrived, release };
}

/** Answers in place of the server until it is removed and the page is reloaded. */
export async function refuse(page: Page, path: string, { status, error }: { status: number; error: string }) {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { error, message: 'answered by the test' }, headers: { 'X-Request-Id': 'test-1' } }),
  );
}

export type Call = { path: string; idempotencyKey: string | undefined; body: Readonly<Record<string, unknown>> };

/** Returns the page's requests to the server's endpoints. */
export function recordCalls(page: Page): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST') return;
    const { pathname } = new URL(request.url());
    calls.push({
      path: pathname,
      idempotencyKey: request.headers()['idempotency-key'],
      body: JSON.parse(request.postData() ?? '{}') as Call['body'],
    });
  });
  return calls;
}

export function withQuery(url: string, query: Readonly<Record<string, string | undefined>>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed.href;
}
