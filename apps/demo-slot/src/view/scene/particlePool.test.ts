import { describe, expect, it } from 'vitest';
import { ParticlePool } from './particlePool.ts';

const BORN = { kind: 2, x: 10, y: 20, speedX: 100, speedY: -50, lifeMs: 1000, size: 8, spin: 1, gravity: 200 };

describe('the particle pool', () => {
  it('moves a particle by its speed and lets it fall', () => {
    const pool = new ParticlePool(4);
    const place = pool.spawn(BORN);
    for (let step = 0; step < 50; step++) pool.update(10);
    expect(pool.x[place]).toBeCloseTo(60, 3);
    // The place is 20 - 50 t + 100 t² at half a second, within the error of small steps.
    expect(Math.abs((pool.y[place] ?? 0) - 20)).toBeLessThan(1.5);
    expect(pool.angle[place]).toBeCloseTo(0.5, 3);
    expect(pool.age[place]).toBeCloseTo(0.5, 3);
  });

  it('frees a particle at the end of its life', () => {
    const pool = new ParticlePool(4);
    const place = pool.spawn(BORN);
    pool.update(999);
    expect(pool.count).toBe(1);
    pool.update(1);
    expect([pool.count, pool.alive[place]]).toEqual([0, 0]);
  });

  it('gives the oldest place away when all are taken, and never grows', () => {
    const pool = new ParticlePool(3);
    const places = Array.from({ length: 7 }, (_, index) => pool.spawn({ ...BORN, x: index }));
    expect(places).toEqual([0, 1, 2, 0, 1, 2, 0]);
    expect([...pool.x]).toEqual([6, 4, 5]);
    expect(pool.count).toBe(3);
    expect(pool.x.length).toBe(3);
  });

  it('keeps its count true through births, deaths and clearing', () => {
    const pool = new ParticlePool(5);
    for (let step = 0; step < 400; step++) {
      if (step % 3 === 0) pool.spawn({ ...BORN, lifeMs: 5 + ((step * 37) % 90) });
      pool.update(7);
      expect(pool.count).toBe(pool.alive.reduce((sum, alive) => sum + alive, 0));
    }
    pool.clear();
    expect(pool.count).toBe(0);
    pool.update(16);
    expect(pool.count).toBe(0);
  });
});
