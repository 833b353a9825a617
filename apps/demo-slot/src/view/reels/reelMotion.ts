import { ROWS } from '../../../rules.ts';
import { REEL_PACES, type ReelPace } from '../times.ts';

/** The symbols that one reel draws: one above the window, those in it, one below. */
export const CELLS = ROWS + 2;

/** The rows that a stopping reel still turns, so that every target symbol comes in from above. */
const ENTRY_ROWS = ROWS + 1;
/** On this last part of the way the reel slows down, runs past its place and settles. */
const SETTLE_ROWS = 1.6;
const PULL_BACK_ROWS = 0.16;
const PULL_BACK_MS = 130;
const ACCELERATION_MS = 190;

type ReelPhase = 'rest' | 'waiting' | 'pullBack' | 'accelerating' | 'turning' | 'arriving' | 'settling';

/**
 * Moves one reel. It has numbers only: it draws nothing, and creates nothing while it turns.
 * Symbols are numbers (their place in SYMBOLS).
 *
 * `travel` counts the rows that the reel has turned downwards. Cell `i` is drawn at row `i - 1 +
 * fraction`. Each time that `travel` passes a whole number the cells shift down by one and a new
 * symbol comes in at the top. A stopping reel lands on a whole number, and takes in the target
 * symbols before.
 */
export class ReelMotion {
  readonly cells = new Uint8Array(CELLS);
  phase: ReelPhase = 'rest';
  travel = 0;
  /** Rows a second, for the motion blur. */
  speed = 0;
  /** It is set when the symbols first reach their places; the reader clears it. */
  struck = false;
  /** It is set when the reel comes to rest; the reader clears it. */
  landed = false;

  private readonly target = new Uint8Array(ROWS);
  private readonly symbolCount: number;
  private random: number;
  private pace: ReelPace = REEL_PACES.normal;
  private phaseMs = 0;
  private waitMs = 0;
  private shifts = 0;
  private landAt = 0;
  private stopAsked = false;
  private settleFrom = 0;
  private settleMs = 1;
  private arrived = false;

  /**
   * `symbolCount` is how many different symbols there are. `seed` is any whole number above 0; the
   * symbols that pass are decoration.
   */
  constructor(options: { symbolCount: number; seed: number }) {
    this.symbolCount = options.symbolCount;
    this.random = options.seed;
    for (let cell = 0; cell < CELLS; cell++) this.cells[cell] = this.nextFiller();
  }

  /**
   * Returns the reel's place between two rows: 0 at rest, up to 1, a little below 0 when it is
   * pulled back.
   */
  get fraction(): number {
    return this.travel - this.shifts;
  }

  get moving(): boolean {
    return this.phase !== 'rest';
  }

  /** Shows symbols at once, without motion, from the top row to the bottom row. */
  set(symbols: ArrayLike<number>): void {
    this.phase = 'rest';
    this.travel = 0;
    this.shifts = 0;
    this.speed = 0;
    this.stopAsked = false;
    this.struck = false;
    this.landed = false;
    this.cells[0] = this.nextFiller();
    for (let row = 0; row < ROWS; row++) this.cells[row + 1] = symbols[row] ?? 0;
    this.cells[CELLS - 1] = this.nextFiller();
  }

  start(pace: ReelPace, delayMs: number): void {
    this.pace = pace;
    this.phase = delayMs > 0 ? 'waiting' : 'pullBack';
    this.waitMs = delayMs;
    this.phaseMs = 0;
    this.travel = 0;
    this.shifts = 0;
    this.speed = 0;
    this.stopAsked = false;
    this.struck = false;
    this.landed = false;
  }

  /**
   * Makes the reel land on these symbols as soon as they can come in from above. It does nothing
   * when the reel is at rest or already stopping.
   */
  stop(symbols: ArrayLike<number>): void {
    if (this.phase === 'rest' || this.stopAsked) return;
    for (let row = 0; row < ROWS; row++) this.target[row] = symbols[row] ?? 0;
    this.stopAsked = true;
    if (this.phase === 'turning') this.arrive();
  }

  update(deltaMs: number): void {
    let left = deltaMs;
    // A long frame may finish one phase and run into the next.
    for (let step = 0; step < 6 && left > 0 && this.phase !== 'rest'; step++) left = this.advance(left);
  }

  /** Returns what is left of the time when a phase ended. */
  private advance(deltaMs: number): number {
    switch (this.phase) {
      case 'waiting':
        return this.advanceTimed(deltaMs, this.waitMs, 'pullBack');
      case 'pullBack':
        return this.advanceTimed(deltaMs, PULL_BACK_MS, 'accelerating');
      case 'accelerating':
        return this.advanceTimed(deltaMs, ACCELERATION_MS, 'turning');
      case 'turning':
        this.speed = this.pace.speed;
        this.moveTo(this.travel + (this.speed * deltaMs) / 1000);
        return 0;
      case 'arriving':
        return this.advanceArrival(deltaMs);
      case 'settling':
        return this.advanceSettling(deltaMs);
      default:
        return 0;
    }
  }

  private advanceTimed(deltaMs: number, lengthMs: number, next: ReelPhase): number {
    const time = Math.min(this.phaseMs + deltaMs, lengthMs);
    const left = this.phaseMs + deltaMs - time;
    const part = lengthMs > 0 ? time / lengthMs : 1;
    if (this.phase === 'pullBack') {
      this.travel = -PULL_BACK_ROWS * Math.sin((part * Math.PI) / 2);
    } else if (this.phase === 'accelerating') {
      // Speed grows evenly from 0, so the way is its integral.
      this.speed = this.pace.speed * part;
      this.moveTo(-PULL_BACK_ROWS + (this.pace.speed * part * part * lengthMs) / 2000);
    }
    this.phaseMs = time;
    if (time < lengthMs) return 0;
    this.phase = next;
    this.phaseMs = 0;
    if (next === 'turning' && this.stopAsked) this.arrive();
    return left;
  }

  private arrive(): void {
    this.arrived = false;
    this.landAt = this.shifts + ENTRY_ROWS + 1;
    this.phase = 'arriving';
  }

  private advanceArrival(deltaMs: number): number {
    this.speed = this.pace.speed;
    const brakeAt = this.landAt - SETTLE_ROWS;
    const reached = this.travel + (this.speed * deltaMs) / 1000;
    if (reached < brakeAt) {
      this.moveTo(reached);
      return 0;
    }
    this.moveTo(brakeAt);
    this.settleFrom = brakeAt;
    // The easing begins as fast as the reel turns: its slope at 0 is 3 + overshoot.
    this.settleMs = (SETTLE_ROWS * (3 + this.pace.overshoot) * 1000) / this.speed;
    this.phase = 'settling';
    this.phaseMs = 0;
    return ((reached - brakeAt) / this.speed) * 1000;
  }

  private advanceSettling(deltaMs: number): number {
    this.phaseMs += deltaMs;
    const part = this.phaseMs / this.settleMs;
    if (part >= 1) {
      this.moveTo(this.landAt);
      this.strike();
      this.speed = 0;
      this.phase = 'rest';
      this.landed = true;
      return 0;
    }
    this.moveTo(this.settleFrom + SETTLE_ROWS * backOut(part, this.pace.overshoot));
    this.speed = this.pace.speed * (1 - part) ** 2;
    if (this.travel >= this.landAt) this.strike();
    return 0;
  }

  /** Marks the strike once a spin, at any frame rate. */
  private strike(): void {
    if (!this.arrived) this.struck = true;
    this.arrived = true;
  }

  private moveTo(travel: number): void {
    this.travel = travel;
    // While it settles the reel runs past its last whole row and comes back: no symbol may come in
    // for that.
    const limit = this.phase === 'arriving' || this.phase === 'settling' ? this.landAt : Number.POSITIVE_INFINITY;
    while (this.shifts + 1 <= travel && this.shifts < limit) {
      this.shifts++;
      this.shiftDown();
    }
  }

  private shiftDown(): void {
    const cells = this.cells;
    for (let cell = CELLS - 1; cell > 0; cell--) cells[cell] = cells[cell - 1] ?? 0;
    cells[0] = this.incoming();
  }

  /**
   * Returns the symbol that comes in at the top with this shift: a target symbol at the end of the
   * way, else any.
   */
  private incoming(): number {
    if (this.phase === 'arriving' || this.phase === 'settling') {
      // At rest cell r + 1 shows row r, so the symbol of row r comes in r + 1 shifts before the
      // last.
      const row = this.landAt - this.shifts - 1;
      if (row >= 0 && row < ROWS) return this.target[row] ?? 0;
    }
    return this.nextFiller();
  }

  private nextFiller(): number {
    // xorshift32: cheap, and needs no object.
    let x = this.random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.random = x;
    return (x >>> 0) % this.symbolCount;
  }
}

/** Goes from 0 to 1, and past 1 on the way; `overshoot` is as in Penner's back easing. */
export function backOut(part: number, overshoot: number): number {
  const rest = part - 1;
  return 1 + (overshoot + 1) * rest * rest * rest + overshoot * rest * rest;
}
