import type { IMediaInstance } from '@pixi/sound';

/** Fine enough that no step is heard. */
const STEP_MS = 30;

type Fade = { readonly to: number; readonly overMs: number; readonly stopAtEnd?: boolean };

/** The running fade of each sound. A new one starts at the volume that the old one has reached. */
const fades = new WeakMap<IMediaInstance, ReturnType<typeof setInterval>>();

/** Moves a sound's volume to another in even steps. */
export function fade(instance: IMediaInstance, { to, overMs, stopAtEnd = false }: Fade): void {
  clearInterval(fades.get(instance));
  const from = instance.volume;
  const steps = Math.max(1, Math.round(overMs / STEP_MS));
  let step = 0;
  const timer = setInterval(() => {
    step += 1;
    instance.volume = from + ((to - from) * step) / steps;
    if (step < steps) return;
    clearInterval(timer);
    fades.delete(instance);
    if (stopAtEnd) instance.stop();
  }, STEP_MS);
  fades.set(instance, timer);
}
