export type ParticleSpawn = {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  /** Pixels a second. */
  readonly speedX: number;
  readonly speedY: number;
  readonly lifeMs: number;
  readonly size: number;
  /** Radians a second. */
  readonly spin: number;
  /** Pixels a second per second, downwards. */
  readonly gravity: number;
};

/**
 * Holds a fixed number of particles in arrays of numbers. When all are in use, a new one replaces
 * the oldest, so that a burst needs no memory.
 */
export class ParticlePool {
  readonly capacity: number;
  readonly alive: Uint8Array;
  readonly kind: Uint8Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly size: Float32Array;
  readonly angle: Float32Array;
  /** It is 0 at birth, 1 at the end. */
  readonly age: Float32Array;
  count = 0;

  private readonly speedX: Float32Array;
  private readonly speedY: Float32Array;
  private readonly ageMs: Float32Array;
  private readonly lifeMs: Float32Array;
  private readonly spin: Float32Array;
  private readonly gravity: Float32Array;
  private next = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.alive = new Uint8Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.x = new Float32Array(capacity);
    this.y = new Float32Array(capacity);
    this.size = new Float32Array(capacity);
    this.angle = new Float32Array(capacity);
    this.age = new Float32Array(capacity);
    this.speedX = new Float32Array(capacity);
    this.speedY = new Float32Array(capacity);
    this.ageMs = new Float32Array(capacity);
    this.lifeMs = new Float32Array(capacity);
    this.spin = new Float32Array(capacity);
    this.gravity = new Float32Array(capacity);
  }

  /** Returns the particle's place. */
  spawn(particle: ParticleSpawn): number {
    const place = this.next;
    this.next = (place + 1) % this.capacity;
    if (this.alive[place] === 0) this.count++;
    this.alive[place] = 1;
    this.kind[place] = particle.kind;
    this.x[place] = particle.x;
    this.y[place] = particle.y;
    this.speedX[place] = particle.speedX;
    this.speedY[place] = particle.speedY;
    this.ageMs[place] = 0;
    this.age[place] = 0;
    this.lifeMs[place] = particle.lifeMs;
    this.size[place] = particle.size;
    this.angle[place] = 0;
    this.spin[place] = particle.spin;
    this.gravity[place] = particle.gravity;
    return place;
  }

  update(deltaMs: number): void {
    if (this.count === 0) return;
    const seconds = deltaMs / 1000;
    for (let place = 0; place < this.capacity; place++) {
      if (this.alive[place] === 0) continue;
      const ageMs = (this.ageMs[place] ?? 0) + deltaMs;
      const lifeMs = this.lifeMs[place] ?? 1;
      this.ageMs[place] = ageMs;
      if (ageMs >= lifeMs) {
        this.alive[place] = 0;
        this.age[place] = 1;
        this.count--;
        continue;
      }
      this.age[place] = ageMs / lifeMs;
      const speedY = (this.speedY[place] ?? 0) + (this.gravity[place] ?? 0) * seconds;
      this.speedY[place] = speedY;
      this.x[place] = (this.x[place] ?? 0) + (this.speedX[place] ?? 0) * seconds;
      this.y[place] = (this.y[place] ?? 0) + speedY * seconds;
      this.angle[place] = (this.angle[place] ?? 0) + (this.spin[place] ?? 0) * seconds;
    }
  }

  clear(): void {
    this.alive.fill(0);
    this.count = 0;
  }
}
