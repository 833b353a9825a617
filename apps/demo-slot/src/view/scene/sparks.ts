import { Container, Sprite, type Texture } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import { ParticlePool, type ParticleSpawn } from './particlePool.ts';

/** Every particle reuses it, so that a burst creates no objects. */
const born = { kind: 0, x: 0, y: 0, speedX: 0, speedY: 0, lifeMs: 0, size: 0, spin: 0, gravity: 0 };

/**
 * Throws sparks, coins, embers and steam. Lengths are CSS pixels, speeds are pixels a second. It is
 * decoration, so Math.random is good enough.
 */
export class Sparks {
  readonly view = new Container();
  private readonly solid: ParticleLayer;
  private readonly light: ParticleLayer;
  /** This part of the requested particles is made, 0 to 1. */
  private share = 1;

  /** `solid` is the most coins and puffs at once, `light` the most sparks and embers. */
  constructor(artwork: Artwork, capacity: { solid: number; light: number }) {
    this.solid = new ParticleLayer(artwork, { capacity: capacity.solid, blend: 'normal' });
    this.light = new ParticleLayer(artwork, { capacity: capacity.light, blend: 'add' });
    this.view.addChild(this.solid.view, this.light.view);
  }

  setShare(share: number): void {
    this.share = share;
  }

  clear(): void {
    this.solid.clear();
    this.light.clear();
  }

  update(deltaMs: number): void {
    this.solid.update(deltaMs);
    this.light.update(deltaMs);
  }

  /** Throws stars that fly out of a place in all directions. */
  burst(at: { x: number; y: number; count: number; size: number; reach: number }): void {
    const count = Math.ceil(at.count * this.share);
    for (let index = 0; index < count; index++) {
      const angle = Math.random() * Math.PI * 2;
      const speed = at.reach * (0.35 + Math.random());
      born.kind = SPARK;
      born.x = at.x + Math.cos(angle) * at.reach * 0.2;
      born.y = at.y + Math.sin(angle) * at.reach * 0.2;
      born.speedX = Math.cos(angle) * speed;
      born.speedY = Math.sin(angle) * speed - at.reach * 0.25;
      born.lifeMs = 420 + Math.random() * 520;
      born.size = at.size * (0.35 + 0.65 * Math.random());
      born.spin = (Math.random() - 0.5) * 5;
      born.gravity = at.reach * 0.8;
      this.light.spawn(born);
    }
  }

  /**
   * Throws coins up from a line at the bottom to about `height` above it. `count` may be a
   * fraction.
   */
  coins(from: { x: number; y: number; width: number; count: number; size: number; height: number }): void {
    const count = this.wholeCount(from.count);
    for (let index = 0; index < count; index++) {
      const lean = Math.random() - 0.5;
      const rise = from.height * (0.53 + 0.37 * Math.random());
      const gravity = from.height * 1.15;
      born.kind = COIN;
      born.x = from.x + lean * from.width;
      born.y = from.y;
      born.speedX = lean * from.width * (0.35 + 0.5 * Math.random());
      born.speedY = -Math.sqrt(2 * gravity * rise);
      born.lifeMs = 3200;
      born.size = from.size * (0.6 + 0.6 * Math.random());
      born.spin = 4 + Math.random() * 8;
      born.gravity = gravity;
      this.solid.spawn(born);
    }
  }

  embers(from: { x: number; y: number; width: number; count: number; size: number; rise: number }): void {
    const count = this.wholeCount(from.count);
    for (let index = 0; index < count; index++) {
      born.kind = EMBER;
      born.x = from.x + (Math.random() - 0.5) * from.width;
      born.y = from.y;
      born.speedX = (Math.random() - 0.5) * from.rise * 0.5;
      born.speedY = -from.rise * (0.5 + Math.random());
      born.lifeMs = 900 + Math.random() * 1300;
      born.size = from.size * (0.4 + 0.8 * Math.random());
      born.spin = (Math.random() - 0.5) * 2;
      born.gravity = -from.rise * 0.2;
      this.light.spawn(born);
    }
  }

  /** Makes one puff, blown to the left. `size` is the height of what it comes from. */
  steam(from: { x: number; y: number; size: number; wind: number }): void {
    born.kind = STEAM;
    born.x = from.x;
    born.y = from.y;
    born.speedX = -from.wind * (0.8 + Math.random() * 0.3);
    born.speedY = -from.size * (0.1 + Math.random() * 0.22);
    born.lifeMs = 1900;
    born.size = from.size * (0.75 + Math.random() * 0.5);
    born.spin = (Math.random() - 0.5) * 1.4;
    born.gravity = 0;
    this.solid.spawn(born);
  }

  /** Rounds at random: 0.3 becomes 1 in three of ten calls. */
  private wholeCount(count: number): number {
    return Math.floor(count * this.share + Math.random());
  }
}

const SPARK = 0;
const COIN = 1;
const EMBER = 2;
const STEAM = 3;

const PICTURES = ['fx/spark', 'fx/coin', 'fx/ember', 'puff'];

/** Draws a pool of particles with a fixed set of sprites. One blend mode makes it one draw call. */
class ParticleLayer {
  readonly view = new Container();
  private readonly pool: ParticlePool;
  private readonly sprites: Sprite[] = [];
  private readonly textures: readonly Texture[];
  private readonly coinEdge: Texture;

  constructor(artwork: Artwork, options: { capacity: number; blend: 'normal' | 'add' }) {
    this.pool = new ParticlePool(options.capacity);
    this.textures = PICTURES.map((name) => artwork.get(name));
    this.coinEdge = artwork.get('fx/coinEdge');
    for (let place = 0; place < options.capacity; place++) {
      const sprite = new Sprite(this.textures[SPARK]);
      sprite.anchor.set(0.5);
      sprite.blendMode = options.blend;
      sprite.visible = false;
      this.sprites.push(sprite);
      this.view.addChild(sprite);
    }
  }

  spawn(particle: ParticleSpawn): void {
    const sprite = this.sprites[this.pool.spawn(particle)];
    if (sprite === undefined) return;
    sprite.texture = this.textures[particle.kind] ?? sprite.texture;
    sprite.tint = particle.kind === STEAM ? 0xe2eaff : 0xffffff;
  }

  clear(): void {
    this.pool.clear();
    for (const sprite of this.sprites) sprite.visible = false;
  }

  update(deltaMs: number): void {
    const { pool } = this;
    if (pool.count === 0 && !this.view.visible) return;
    pool.update(deltaMs);
    this.view.visible = pool.count > 0;
    for (let place = 0; place < pool.capacity; place++) {
      const sprite = this.sprites[place];
      if (sprite === undefined) continue;
      sprite.visible = pool.alive[place] === 1;
      if (sprite.visible) this.show(sprite, place);
    }
  }

  private show(sprite: Sprite, place: number): void {
    const { pool } = this;
    sprite.position.set(pool.x[place] ?? 0, pool.y[place] ?? 0);
    const age = pool.age[place] ?? 1;
    const angle = pool.angle[place] ?? 0;
    const unit = (pool.size[place] ?? 1) / sprite.texture.width;
    sprite.rotation = angle;
    switch (pool.kind[place]) {
      case COIN:
        this.showCoin(sprite, place);
        break;
      case STEAM:
        sprite.scale.set(unit * (0.32 + 1.3 * Math.sqrt(age)));
        sprite.alpha = 0.8 * Math.min(1, age * 12) * (1 - age) ** 1.4;
        break;
      case EMBER:
        sprite.scale.set(unit * (1 - 0.6 * age));
        sprite.alpha = Math.min(1, age * 8) * (1 - age);
        break;
      default:
        // The puff swells, then shrinks.
        sprite.scale.set(unit * (age < 0.2 ? age * 5 : 1 - (age - 0.2) * 1.25));
        sprite.alpha = Math.min(1, (1 - age) * 2);
    }
  }

  /** A turning coin: its face gets narrow, then its edge is seen. */
  private showCoin(sprite: Sprite, place: number): void {
    const angle = this.pool.angle[place] ?? 0;
    const age = this.pool.age[place] ?? 1;
    const turn = Math.cos(angle);
    const onEdge = Math.abs(turn) < 0.22;
    sprite.texture = onEdge ? this.coinEdge : (this.textures[COIN] ?? sprite.texture);
    const face = (this.pool.size[place] ?? 1) / sprite.texture.width;
    sprite.scale.set(onEdge ? face : face * turn, face);
    sprite.rotation = angle * 0.12;
    sprite.alpha = age > 0.9 ? (1 - age) * 10 : 1;
  }
}
