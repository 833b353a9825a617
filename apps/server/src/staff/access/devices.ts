import { createHash, randomBytes } from 'node:crypto';
import type { createAuthMiddleware } from 'better-auth/api';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** The time for which a browser stays known after its last sign-in. */
const KNOWN_SECONDS = 90 * 24 * 3_600;
const DEVICE_BYTES = 16;
const KEY_CHARACTERS = 16;

/**
 * Returns the name of the browser when this user has signed in with it before: its cookie says so,
 * with a signature. The cookie lets nobody in; it only keeps the tries of others from counting here
 * (decision 028).
 */
export async function knownDevice(ctx: Context, email: string): Promise<string | undefined> {
  const value = await ctx.getSignedCookie(cookieOf(ctx, email).name, ctx.context.secret);
  const [key, device] = value ? value.split(':') : [];
  return key === keyOf(email) ? device : undefined;
}

/** Makes the browser a known one of this user, or keeps it one for longer. */
export async function rememberDevice(ctx: Context, email: string): Promise<void> {
  const device = (await knownDevice(ctx, email)) ?? randomBytes(DEVICE_BYTES).toString('hex');
  const { name, attributes } = cookieOf(ctx, email);
  await ctx.setSignedCookie(name, `${keyOf(email)}:${device}`, ctx.context.secret, attributes);
}

/** Each user of a browser has a separate cookie there. */
function cookieOf(ctx: Context, email: string) {
  return ctx.context.createAuthCookie(`device-${keyOf(email)}`, { maxAge: KNOWN_SECONDS });
}

function keyOf(email: string): string {
  return createHash('sha256').update(`device of ${email}`).digest('hex').slice(0, KEY_CHARACTERS);
}
