import { Container, Sprite, type WebGLRenderer } from 'pixi.js';
import type { Artwork } from '../art/artwork.ts';
import type { BoardLayout } from '../boardLayout.ts';
import { Backdrop, Strip } from './backdrop.ts';
import { Sky, Stars } from './sky.ts';
import { Sparks } from './sparks.ts';
import { Train } from './train.ts';
import { Weather } from './weather.ts';

/** The rails have this speed in CSS pixels a second, on a screen 1000 pixels wide. */
const RUSH_SPEED = 1500;
/** Each layer moves at this part of the rails' speed. */
const DEPTHS = { far: 0.02, mid: 0.05, near: 0.12, pines: 0.42, rails: 1 };
const RAIL_Y = 0.592;
const PASSING_EVERY_MS = 26_000;
const FIRST_PASSING_MS = 3_500;

/**
 * Shows a night valley and a railway line. With `rush` 0 a train passes from time to time. With 1
 * the view follows the train at full speed.
 */
export class Scenery {
  readonly view = new Container();
  private readonly layers = new Container();
  private readonly backdrop: Backdrop;
  private readonly sky: Sky;
  private readonly stars: Stars;
  private readonly moon: Sprite;
  private readonly far: Strip;
  private readonly mid: Strip;
  private readonly near: Strip;
  private readonly pines: Strip;
  private readonly rails: Strip;
  private readonly ground: Sprite;
  private readonly haze: Sprite;
  private readonly smoke: Sparks;
  private readonly train: Train;
  private readonly weather: Weather;
  private readonly vignette: Sprite;
  /** The frame casts this shadow on the landscape. */
  private readonly shadow: Sprite;
  private layout: BoardLayout | undefined;
  private rushing = 0;
  private sincePassingMs = PASSING_EVERY_MS - FIRST_PASSING_MS;
  private running = false;
  private timeMs = 0;

  constructor(renderer: WebGLRenderer, artwork: Artwork) {
    this.sky = new Sky(renderer);
    this.stars = new Stars(artwork);
    this.moon = new Sprite(artwork.get('scene/moon'));
    this.moon.anchor.set(0.5);
    this.far = new Strip(artwork.get('scene/mountainsFar'));
    this.mid = new Strip(artwork.get('scene/mountainsMid'));
    this.near = new Strip(artwork.get('scene/mountainsNear'));
    this.pines = new Strip(artwork.get('scene/pines'));
    this.rails = new Strip(artwork.get('scene/rails'));
    this.smoke = new Sparks(artwork, { solid: 40, light: 0 });
    this.train = new Train(artwork, this.smoke);
    this.weather = new Weather(artwork);
    this.ground = new Sprite(artwork.get('white'));
    this.ground.tint = 0x050818;
    this.haze = new Sprite(artwork.get('soft'));
    this.haze.anchor.set(0.5);
    this.haze.blendMode = 'add';
    this.haze.tint = 0x2a6f86;
    this.vignette = new Sprite(artwork.get('vignette'));
    this.vignette.alpha = 0.5;
    this.shadow = new Sprite(artwork.get('soft'));
    this.shadow.anchor.set(0.5);
    this.shadow.tint = 0x01030c;
    this.shadow.alpha = 0.75;
    this.layers.addChild(
      this.sky.view,
      this.stars.view,
      this.moon,
      this.far.view,
      this.mid.view,
      this.haze,
      this.near.view,
      this.pines.view,
      this.ground,
      this.rails.view,
      this.vignette,
      this.shadow,
    );
    this.backdrop = new Backdrop(renderer, this.layers);
    this.view.addChild(this.backdrop.view, this.train.view, this.smoke.view, this.weather.view);
    this.rush = 0;
  }

  get rush(): number {
    return this.rushing;
  }

  set rush(rush: number) {
    this.rushing = rush;
    this.sky.fever = rush;
    this.weather.rush = rush;
    this.haze.tint = rush > 0.5 ? 0x7a2fa8 : 0x2a6f86;
    // The mountains take the colour of the sky.
    this.far.tint = rush > 0.5 ? 0xd9b8ff : 0xffffff;
    this.mid.tint = rush > 0.5 ? 0xc8a8ff : 0xffffff;
    const running = rush > 0.5;
    if (running === this.running) return;
    this.running = running;
    this.train.view.visible = running;
    this.sincePassingMs = PASSING_EVERY_MS - FIRST_PASSING_MS * 2;
    this.smoke.clear();
    this.placeTrain();
  }

  setFrugal(frugal: boolean): void {
    this.sky.setFrugal(frugal);
    this.backdrop.setFrugal(frugal);
    this.setShare(frugal ? 0.5 : 1);
  }

  setShare(share: number): void {
    this.weather.setShare(share);
  }

  resize(layout: BoardLayout): void {
    this.layout = layout;
    const { width, height, horizonY } = layout;
    const upright = layout.kind === 'portrait';
    this.sky.resize(width, height);
    this.stars.resize(width, horizonY);
    const moonSize = Math.min(width, height) * (upright ? 0.26 : 0.24);
    this.moon.setSize(moonSize, moonSize);
    this.moon.position.set(width * (upright ? 0.82 : 0.88), height * (upright ? 0.1 : 0.17));
    const ridge = Math.max(height * (upright ? 0.4 : 0.62), width * 0.2);
    this.far.layout({ y: horizonY - ridge * 0.96, height: ridge, width });
    this.mid.layout({ y: horizonY - ridge * 0.93, height: ridge, width });
    this.near.layout({ y: horizonY - ridge * 0.88, height: ridge, width });
    this.haze.position.set(width / 2, horizonY - ridge * 0.2);
    this.haze.setSize(width * 1.5, ridge * 0.9);
    this.haze.alpha = 0.26;
    const trees = ridge * (upright ? 0.42 : 0.44);
    this.pines.layout({ y: horizonY - trees * 0.66, height: trees, width });
    const track = height * (upright ? 0.2 : 0.3);
    this.rails.layout({ y: horizonY - track * 0.5, height: track, width });
    this.ground.position.set(0, horizonY + track * 0.15);
    this.ground.setSize(width, Math.max(0, height - horizonY) + 2);
    this.vignette.setSize(width, height);
    const { frame } = layout;
    this.shadow.position.set(frame.x + frame.width / 2, frame.y + frame.height * 0.52);
    this.shadow.setSize(frame.width * 1.3, frame.height * 1.4);
    this.backdrop.resize(width, height);
    this.weather.resize(width, height);
    this.placeTrain();
  }

  update(deltaMs: number): void {
    const { layout } = this;
    if (layout === undefined) return;
    this.timeMs += deltaMs;
    const seconds = deltaMs / 1000;
    const speed = this.rushing * RUSH_SPEED * Math.max(0.5, layout.width / 1000);
    this.far.move(speed * DEPTHS.far * seconds);
    this.mid.move(speed * DEPTHS.mid * seconds);
    this.near.move(speed * DEPTHS.near * seconds);
    this.pines.move(speed * DEPTHS.pines * seconds);
    this.rails.move(speed * DEPTHS.rails * seconds);
    this.sky.update(deltaMs);
    if (this.backdrop.due(deltaMs, this.rushing > 0)) {
      this.stars.update(this.timeMs);
      this.backdrop.draw();
    }
    this.weather.update(deltaMs);
    this.updateTrain(deltaMs, layout, speed);
    this.smoke.update(deltaMs);
  }

  private updateTrain(deltaMs: number, layout: BoardLayout, speed: number): void {
    const { train } = this;
    if (this.running) {
      train.view.x = this.runningX(layout) + Math.sin(this.timeMs / 1900) * layout.width * 0.012;
      train.update(deltaMs, speed * 0.42);
      return;
    }
    this.sincePassingMs += deltaMs;
    if (!train.view.visible) {
      if (this.sincePassingMs < PASSING_EVERY_MS) return;
      this.sincePassingMs = 0;
      train.view.visible = true;
      train.view.x = -train.width * 1.2;
    }
    const pace = layout.width * 0.085 + 40;
    train.view.x += (pace * deltaMs) / 1000;
    train.update(deltaMs, pace * 0.2);
    if (train.view.x > layout.width + train.width * 0.3) train.view.visible = false;
  }

  private placeTrain(): void {
    const { layout, train } = this;
    if (layout === undefined) return;
    const track = layout.height * (layout.kind === 'portrait' ? 0.2 : 0.3);
    // In portrait the train runs in the gap below the frame.
    const running = layout.kind === 'portrait' ? 3.3 : 4.6;
    const full = this.running ? running : 2.1;
    train.setWidth(track * full);
    train.view.y = layout.horizonY - track * 0.5 + track * RAIL_Y;
    if (this.running) train.view.x = this.runningX(layout);
  }

  /** The engine runs ahead of the frame's right edge where there is room, else in the middle. */
  private runningX(layout: BoardLayout): number {
    return layout.width * (layout.kind === 'portrait' ? 0.9 : 0.985) - this.train.width;
  }

  destroy(): void {
    this.sky.destroy();
    this.backdrop.destroy();
    this.layers.destroy({ children: true });
  }
}
