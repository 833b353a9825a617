/** The frames to measure. The first frames of a game are slow on every machine. */
const WARM_UP_MS = 800;
const SAMPLE_MS = 900;
const SAMPLE_FRAMES = 8;
/** A machine whose frames take longer than this on average draws less. */
const SLOW_MS = 30;

/**
 * Measures frames and reports once when the machine is too slow for the full picture. It never goes
 * back, because that would flicker.
 */
export class FrameBudget {
  private frames = 0;
  private sumMs = -WARM_UP_MS;
  private spent = false;

  /** True in the frame in which a slow machine is recognised, once. */
  exceeded(deltaMs: number): boolean {
    if (this.spent) return false;
    this.sumMs += deltaMs;
    if (this.sumMs <= 0) return false;
    this.frames++;
    if (this.sumMs < SAMPLE_MS || this.frames < SAMPLE_FRAMES) return false;
    this.spent = this.sumMs / this.frames > SLOW_MS;
    this.frames = 0;
    this.sumMs = 0;
    return this.spent;
  }
}
