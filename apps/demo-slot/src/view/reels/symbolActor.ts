import { Container, Sprite, type Texture } from 'pixi.js';
import type { SymbolCode } from '../../../rules.ts';
import type { Artwork } from '../art/artwork.ts';
import { isLit, SHEEN_FRAMES } from '../art/tiles.ts';
import { SYMBOL_FILL, SYMBOL_UNITS } from './reelsView.ts';

export type ActorMode = 'rest' | 'land' | 'breathe' | 'win' | 'glow' | 'dim' | 'pulse';

const LAND_MS = 520;
const BREATH_MS = 2600;
const SHEEN_MS = 620;
const WIN_PERIOD_MS = 900;
/** A symbol that does not pay has this brightness while others pay. */
const DIMMED = 0.34;

const GLOW_TINT: Readonly<Record<SymbolCode, number>> = {
  W: 0x5dffd6,
  S: 0xffd66b,
  H1: 0xffb347,
  H2: 0xffd27a,
  H3: 0x5dff9a,
  H4: 0x7a9bff,
  L1: 0xff5a6e,
  L2: 0xffa83d,
  L3: 0x3dff9e,
  L4: 0x4da3ff,
  L5: 0xb06bff,
};

type Lights = { readonly glow: Texture; readonly sheen: readonly Texture[] };

/**
 * Shows a symbol at rest in its place: breathing, landing, winning or dimmed. All its sprites exist
 * from the start.
 */
export class SymbolActor {
  readonly view = new Container();
  mode: ActorMode = 'rest';
  code: SymbolCode = 'L1';
  private readonly artwork: Artwork;
  private readonly body: Sprite;
  private readonly halo: Sprite;
  private readonly flare: Sprite;
  private readonly sheen: Sprite;
  private readonly calm: boolean;
  private lights: Lights | undefined;
  private timeMs = 0;
  private sheenMs = -1;
  private brightness = 1;
  private level = -1;
  private scale = 1;
  private lift = 0;
  private turn = 0;
  private haloLevel = 0;
  private flareLevel = 0;

  constructor(artwork: Artwork, options: { calm: boolean }) {
    this.artwork = artwork;
    this.calm = options.calm;
    this.halo = additive(artwork.get('fx/glow'));
    this.body = new Sprite(artwork.get('symbols/L1'));
    this.body.anchor.set(0.5);
    this.flare = additive(artwork.get('fx/glow'));
    this.sheen = additive(artwork.get('fx/glow'));
    this.sheen.alpha = 0.8;
    this.view.addChild(this.halo, this.body, this.sheen, this.flare);
  }

  show(code: SymbolCode): void {
    this.code = code;
    this.body.texture = this.artwork.get(`symbols/${code}`);
    this.lights = lightsOf(this.artwork, code);
    this.halo.tint = GLOW_TINT[code];
    if (this.lights !== undefined) this.flare.texture = this.lights.glow;
    this.sheenMs = -1;
    this.brightness = 1;
    this.setMode('rest');
    this.update(0);
  }

  setMode(mode: ActorMode): void {
    if (this.mode === mode) return;
    this.mode = mode;
    this.timeMs = 0;
  }

  /** The sheen sweeps over the symbol once. Only lit symbols have one. */
  sweep(): void {
    if (this.lights !== undefined && this.sheenMs < 0) this.sheenMs = 0;
  }

  get raised(): boolean {
    return this.mode === 'win' || this.mode === 'pulse' || this.mode === 'glow';
  }

  update(deltaMs: number): void {
    this.timeMs += deltaMs;
    this.pose();
    this.drawBody(deltaMs);
    this.drawLights(deltaMs);
    this.drawSheen(deltaMs);
  }

  /**
   * Sets the mode's look now. It is in fields, so that fifteen actors create nothing in a frame.
   */
  private pose(): void {
    const swing = this.calm ? 0.25 : 1;
    const time = this.timeMs;
    this.scale = 1;
    this.lift = 0;
    this.turn = 0;
    this.haloLevel = 0;
    this.flareLevel = 0;
    switch (this.mode) {
      case 'land': {
        const part = Math.min(1, time / LAND_MS);
        this.scale = 1 + 0.2 * swing * (1 - part) * (1 - part) * Math.sin(part * 11);
        this.flareLevel = 1.1 * (1 - part);
        this.haloLevel = 0.9 * (1 - part);
        if (part >= 1) this.setMode('rest');
        break;
      }
      case 'breathe': {
        const part = Math.min(1, time / BREATH_MS);
        const wave = Math.sin(part * Math.PI) ** 2;
        this.scale = 1 + 0.035 * wave * swing;
        this.haloLevel = 0.22 * wave;
        this.flareLevel = 0.3 * wave;
        if (part >= 1) this.setMode('rest');
        break;
      }
      case 'win': {
        const beat = (time % WIN_PERIOD_MS) / WIN_PERIOD_MS;
        const pop = Math.exp(-beat * 4.2) * Math.sin(Math.min(1, beat * 5) * Math.PI * 0.5);
        this.scale = 1.06 + 0.2 * pop * swing;
        this.lift = -14 * Math.sin(Math.min(1, beat * 2) * Math.PI) * swing;
        this.turn = 0.055 * Math.sin(beat * Math.PI * 4) * (1 - beat) * swing;
        this.haloLevel = 0.75 + 0.35 * Math.sin(time / 130);
        this.flareLevel = 0.55 + 0.55 * pop + 0.2 * Math.sin(time / 160);
        break;
      }
      case 'pulse': {
        const wave = Math.abs(Math.sin(time / 210));
        this.scale = 1.05 + 0.13 * wave * swing;
        this.turn = 0.07 * Math.sin(time / 105) * swing;
        this.haloLevel = 0.8 + 0.3 * wave;
        this.flareLevel = 0.7 + 0.5 * wave;
        break;
      }
      case 'glow':
        this.scale = 1.02;
        this.haloLevel = 0.5 + 0.14 * Math.sin(time / 420);
        this.flareLevel = 0.3 + 0.12 * Math.sin(time / 420);
        break;
      default:
    }
  }

  private drawBody(deltaMs: number): void {
    const goal = this.mode === 'dim' ? DIMMED : 1;
    this.brightness += (goal - this.brightness) * Math.min(1, deltaMs / 110);
    const level = Math.round(this.brightness * 255);
    // A tint is parsed each time that it is set.
    if (level !== this.level) this.body.tint = (level << 16) | (level << 8) | Math.min(255, level + 8);
    this.level = level;
    this.body.scale.set(((SYMBOL_UNITS * SYMBOL_FILL) / this.body.texture.width) * this.scale);
    this.body.y = this.lift;
    this.body.rotation = this.turn;
  }

  private drawLights(deltaMs: number): void {
    this.halo.visible = this.haloLevel > 0.01;
    if (this.halo.visible) {
      this.halo.alpha = Math.min(1, this.haloLevel) * 0.72;
      this.halo.setSize(SYMBOL_UNITS * 1.75 * this.scale);
      this.halo.y = this.lift;
    }
    this.flare.visible = this.lights !== undefined && this.flareLevel > 0.01;
    if (!this.flare.visible) return;
    this.flare.alpha = Math.min(1, this.flareLevel) * (this.code === 'H1' ? 0.6 : 0.85);
    this.flare.setSize(SYMBOL_UNITS * (0.95 + 0.45 * this.flareLevel) * this.scale);
    this.flare.y = this.lift + (this.code === 'W' ? -8 : 0);
    this.flare.rotation += deltaMs / (this.code === 'S' ? 2400 : 5200);
  }

  private drawSheen(deltaMs: number): void {
    this.sheen.visible = false;
    if (this.sheenMs < 0 || this.lights === undefined) return;
    this.sheenMs += deltaMs;
    const texture = this.lights.sheen[Math.floor((this.sheenMs / SHEEN_MS) * SHEEN_FRAMES)];
    if (texture === undefined) {
      this.sheenMs = -1;
      return;
    }
    this.sheen.visible = true;
    this.sheen.texture = texture;
    this.sheen.scale.set(((SYMBOL_UNITS * SYMBOL_FILL) / texture.width) * this.scale);
    this.sheen.y = this.lift;
    this.sheen.rotation = this.turn;
  }
}

function additive(texture: Texture): Sprite {
  const sprite = new Sprite(texture);
  sprite.anchor.set(0.5);
  sprite.blendMode = 'add';
  sprite.visible = false;
  return sprite;
}

/** Artwork is the key, so that it is freed with the artwork. */
const LIT = new WeakMap<Artwork, Map<SymbolCode, Lights>>();

function lightsOf(artwork: Artwork, code: SymbolCode): Lights | undefined {
  if (!isLit(code)) return undefined;
  let lit = LIT.get(artwork);
  if (lit === undefined) {
    lit = new Map();
    LIT.set(artwork, lit);
  }
  let lights = lit.get(code);
  if (lights === undefined) {
    const sheen = Array.from({ length: SHEEN_FRAMES }, (_, frame) => artwork.get(`sheen/${code}/${frame}`));
    lights = { glow: artwork.get(`symbols/${code}.glow`), sheen };
    lit.set(code, lights);
  }
  return lights;
}
