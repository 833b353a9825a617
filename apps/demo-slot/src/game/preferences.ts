import type { PlayerPace } from './model.ts';
import type { Page, SoundChannel } from './ports.ts';
import type { Store } from './store.ts';

const NAMES = {
  muted: 'aurora-line.muted',
  music: 'aurora-line.music',
  effects: 'aurora-line.effects',
  leftHanded: 'aurora-line.leftHanded',
  batterySaver: 'aurora-line.batterySaver',
  pace: 'aurora-line.pace',
  bet: 'aurora-line.bet',
} as const;
const PACES: readonly string[] = ['normal', 'turbo', 'superTurbo'] satisfies PlayerPace[];

/** Reads the choices that the browser stored at the last visit. It ignores unreadable values. */
export function recallPreferences(page: Page, store: Store): void {
  store.muted.value = page.recall(NAMES.muted) === 'true';
  store.volumes.value = {
    music: rememberedVolume(page, 'music') ?? store.volumes.peek().music,
    effects: rememberedVolume(page, 'effects') ?? store.volumes.peek().effects,
  };
  const leftHanded = page.recall(NAMES.leftHanded);
  if (leftHanded !== undefined) store.wantedLeftHanded.value = leftHanded === 'true';
  store.batterySaver.value = page.recall(NAMES.batterySaver) === 'true';
  const pace = page.recall(NAMES.pace);
  if (pace !== undefined && PACES.includes(pace)) store.wantedPace.value = pace as PlayerPace;
}

/** Stores the choices when they change. Returns the function that stops it. */
export function keepPreferences(page: Page, store: Store): () => void {
  const ends = [
    onChange(store.muted, (muted) => page.keep(NAMES.muted, String(muted))),
    onChange(store.volumes, ({ music, effects }) => {
      page.keep(NAMES.music, String(music));
      page.keep(NAMES.effects, String(effects));
    }),
    onChange(store.wantedLeftHanded, (on) => page.keep(NAMES.leftHanded, String(on))),
    onChange(store.batterySaver, (on) => page.keep(NAMES.batterySaver, String(on))),
    onChange(store.wantedPace, (pace) => page.keep(NAMES.pace, pace)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function rememberedVolume(page: Page, channel: SoundChannel): number | undefined {
  const kept = page.recall(NAMES[channel]);
  return kept !== undefined && /^(100|[1-9]?\d)$/.test(kept) ? Number(kept) : undefined;
}

/** Returns the stored bet of the current currency, in micros as text. */
export function rememberedBet(page: Page, store: Store): string | undefined {
  return page.recall(`${NAMES.bet}.${store.currency.peek()}`);
}

export function keepBet(page: Page, store: Store): void {
  page.keep(`${NAMES.bet}.${store.currency.peek()}`, String(store.betMicros.peek()));
}

function onChange<T>(
  source: { peek(): T; subscribe(listener: (value: T) => void): () => void },
  listener: (value: T) => void,
): () => void {
  let known = source.peek();
  return source.subscribe((value) => {
    if (value === known) return;
    known = value;
    listener(value);
  });
}
