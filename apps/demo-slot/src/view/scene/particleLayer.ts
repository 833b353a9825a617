import { Container, Sprite, type Texture } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import { ParticlePool, type ParticleSpawn } from '../motion/particlePool.ts';

export const SPARK = 0;
export const COIN = 1;
export const EMBER = 2;
export const STEAM = 3;

const PICTURES = ['fx/spark', 'fx/coin', 'fx/ember', 'puff'];

/**
 * Draws a pool of particles with a fixed set of sprites, all mixed with what is below in the same
 * way: one draw call for all of them.
 */
export class ParticleLayer {
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
        // Swells, then shrinks.
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
