import { effect, signal, untracked } from '@preact/signals';
import type { Api } from '../api.ts';
import type { LauncherModel } from './launcher.ts';

/** Whether this browser reaches the open game. */
export type Reach =
  | { kind: 'reached' }
  /** The page of the game is https, and the first probe is not over. */
  | { kind: 'checking' }
  /** The browser cannot open this address, usually because it does not accept the certificate. */
  | { kind: 'blocked'; url: string }
  /** The game is open, but its https requests to this address fail. */
  | { kind: 'https-wanted'; url: string };

type Deps = {
  api: Pick<Api, 'https'>;
  launcher: LauncherModel;
  /**
   * Returns whether the operator has the routes of the studio bench, which report what the server
   * sees.
   */
  hasBench: () => boolean;
  /** Returns whether the browser gets a response from this address. */
  probe: (url: string) => Promise<boolean>;
};

export const REPEAT_MS = 2_000;

/**
 * Follows whether the browser reaches the open game. A self-signed certificate cannot be accepted
 * in a frame, where the browser shows an error page without a reason.
 */
export function createReachModel({ api, launcher, hasBench, probe }: Deps) {
  const reach = signal<Reach>({ kind: 'reached' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let run = 0;
  /** This many https connections were refused when the game opened. */
  let refusalsBefore: number | undefined;

  const open = () => untracked(() => launcher.open.value);

  async function look(): Promise<Reach> {
    const page = new URL(open()?.session.url ?? '', 'http://localhost');
    if (page.protocol === 'https:') {
      const url = page.origin;
      return (await probe(healthOf(url))) ? { kind: 'reached' } : { kind: 'blocked', url };
    }
    if (!hasBench()) return { kind: 'reached' };
    if (reach.value.kind === 'https-wanted') {
      const { url } = reach.value;
      return (await probe(healthOf(url))) ? { kind: 'reached' } : reach.value;
    }
    const seen = await api.https();
    if (!seen.ok) return reach.value;
    refusalsBefore ??= seen.value.refusals;
    return seen.value.refusals > refusalsBefore ? { kind: 'https-wanted', url: seen.value.url } : { kind: 'reached' };
  }

  async function follow(): Promise<void> {
    clearTimeout(timer);
    run += 1;
    const mine = run;
    const before = reach.value.kind;
    const next = await look();
    if (mine !== run || open() === undefined) return;
    reach.value = next;
    // An earlier refusal is final: only a reload of the page tries again.
    if (before === 'https-wanted' && next.kind === 'reached') return launcher.reload();
    const isHttps = open()?.session.url.startsWith('https:') === true;
    if (next.kind !== 'reached' || (hasBench() && !isHttps)) timer = setTimeout(() => void follow(), REPEAT_MS);
  }

  effect(() => {
    const opened = launcher.open.value;
    untracked(() => {
      clearTimeout(timer);
      run += 1;
      refusalsBefore = undefined;
      reach.value = { kind: opened?.session.url.startsWith('https:') ? 'checking' : 'reached' };
      if (opened) void follow();
    });
  });

  return {
    reach,
    /** Checks immediately, for example when you come back from another tab. */
    lookNow(): void {
      if (reach.value.kind !== 'reached') void follow();
    },
  };
}

export function healthOf(url: string): string {
  return new URL('/healthz', url).href;
}
