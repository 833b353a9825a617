import type { Page, Route } from '@playwright/test';

export type Held = {
  /** Resolves when the first request is there. */
  readonly arrived: Promise<void>;
  /** Lets them through, those that wait and those to come. */
  release: () => void;
};

/** Keeps the requests of the page to this path before the server, until they are released. */
export async function holdRequests(page: Page, path: string): Promise<Held> {
  return hold(page, path, async (route, released) => {
    await released;
    await route.continue();
  });
}

/** Lets the server do its work, and keeps its answers. */
export async function holdAnswers(page: Page, path: string): Promise<Held> {
  return hold(page, path, async (route, released) => {
    const response = await route.fetch();
    await released;
    // The page that has asked may be gone by now.
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

/** The server does its work, and nobody hears of it. */
export async function loseNextAnswer(page: Page, path: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route(`**${path}`, lose, { times: 1 });
}

/** Answers in place of the server, as it would, until the page is opened anew with this taken away. */
export async function refuse(page: Page, path: string, { status, error }: { status: number; error: string }) {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status, json: { error, message: 'answered by the test' }, headers: { 'X-Request-Id': 'test-1' } }),
  );
}

export type Call = { path: string; idempotencyKey: string | undefined; body: Readonly<Record<string, unknown>> };

/** The calls of the page to the server's endpoints, as they are made. */
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
