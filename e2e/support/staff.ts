import { randomUUID } from 'node:crypto';

/** `roundhouse dev` makes this user, and prints the link that sets the password. */
const FIRST_ADMINISTRATOR = 'administrator@console.local';

type Role = 'viewer' | 'support' | 'finance' | 'compliance' | 'gameManager' | 'administrator';
/** A user of the server, or of an operator. */
export type NewUser = { role: Role; operator?: string };
export type ConsoleUser = { email: string; password: string };

/** Sends requests to the console as one user, beside the pages. */
export class Staff {
  readonly #consoleUrl: string;
  readonly cookie: string;

  private constructor(consoleUrl: string, cookie: string) {
    this.#consoleUrl = consoleUrl;
    this.cookie = cookie;
  }

  static of({ consoleUrl, adminCookie }: { consoleUrl: string; adminCookie: string }): Staff {
    return new Staff(consoleUrl, adminCookie);
  }

  /** Signs the first administrator in by the link that the server prints. */
  static async first(consoleUrl: string, link: string): Promise<Staff> {
    return Staff.signIn(consoleUrl, { email: FIRST_ADMINISTRATOR, password: await setPassword(consoleUrl, link) });
  }

  static async signIn(consoleUrl: string, user: ConsoleUser): Promise<Staff> {
    const { headers } = await send(consoleUrl, '/api/auth/sign-in/email', { body: user });
    const cookies = headers.getSetCookie().map((each) => each.split(';', 1)[0]);
    return new Staff(consoleUrl, cookies.join('; '));
  }

  /** A GET, or a POST with a body. */
  async request<Body>(path: string, body?: object): Promise<Body> {
    return (await send(this.#consoleUrl, path, { cookie: this.cookie, body })).json() as Promise<Body>;
  }

  /** Adds a user. The link sets the password, once. */
  async addUser({ role, operator }: NewUser): Promise<{ email: string; link: string }> {
    const email = newEmail(role);
    const user = { email, name: `Test ${role}`, role, operator: operator ?? null };
    const { link } = await this.request<{ link: string }>('/admin/users', user);
    return { email, link };
  }

  async addUserWithPassword(wanted: NewUser): Promise<ConsoleUser> {
    const { email, link } = await this.addUser(wanted);
    return { email, password: await setPassword(this.#consoleUrl, link) };
  }
}

export function newEmail(role: Role): string {
  return `${role}-${randomUUID().slice(0, 8)}@staff.example`.toLowerCase();
}

/** The link sets it. */
export async function setPassword(consoleUrl: string, link: string): Promise<string> {
  const password = `a long password ${randomUUID()}`;
  const token = new URL(link).searchParams.get('token');
  await send(consoleUrl, '/api/auth/reset-password', { body: { token, newPassword: password } });
  return password;
}

async function send(
  consoleUrl: string,
  path: string,
  { cookie = '', body }: { cookie?: string; body?: object | undefined },
) {
  const headers = { origin: consoleUrl, cookie, ...(body && { 'content-type': 'application/json' }) };
  const post = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(consoleUrl + path, { headers, ...post });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}
