/** After this many frames longer than `ms`, only the board moves. */
const SLOW = { frames: 3, ms: 50 };
const MEASURED_FRAMES = 60;

const { classList } = document.documentElement;

/** What is not needed to follow the round stands still: style sheets see it, too. */
classList.add('calm');

export function isCalm(): boolean {
  return classList.contains('calm');
}

/** Whether the player's system asks for less motion. */
export function isReduced(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Lets all move, unless the player's system asks for less motion. If that is too much for the
 * machine, calm returns.
 */
export async function beginMotion(): Promise<void> {
  if (isReduced()) return;
  classList.remove('calm');
  let slow = 0;
  let lastMs = performance.now();
  for (let count = 0; count < MEASURED_FRAMES && slow < SLOW.frames; count += 1) {
    const nowMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    if (nowMs - lastMs > SLOW.ms) slow += 1;
    lastMs = nowMs;
  }
  classList.toggle('calm', slow === SLOW.frames);
}
