import type { WebGLRenderer } from 'pixi.js';
import { type Board, type LineWin, type Position, ROWS, type SpinKind } from '../../rules.ts';
import type {
  AnnouncementCard,
  AudioPort,
  Celebration,
  Point,
  Scene,
  Showing,
  Stage,
  StageSize,
  SymbolPlace,
} from '../game/ports.ts';
import { type Artwork, loadArtwork } from './art/artwork.ts';
import { symbolAt, symbolTextureSize } from './boardLayout.ts';
import { Clock, FrameBudget } from './clock.ts';
import { Picture } from './picture.ts';
import { SpinDirector } from './reels/spinDirector.ts';
import { createRenderer, drawsInSoftware } from './renderer.ts';
import { SHOW_TIME_FACTOR } from './times.ts';
import { MultiplierFlight } from './wins/multiplierFlight.ts';
import { loadFonts } from './words.ts';

export type StageOptions = {
  /** The canvas fills it. */
  readonly host: HTMLElement;
  readonly audio: AudioPort;
  /** Fades in place of rushing transitions, no shakes, few particles. */
  readonly reducedMotion: boolean;
};

const PULSE_MS = 1500;
/** A slow machine draws at most one frame in this time while the picture hardly moves. */
const FRUGAL_IDLE_MS = 100;
const BATTERY_FRAME_MS = 1000 / 30;

/** Rejects with {@link NoWebGlError} when the browser gives no WebGL 2. */
export async function createStage(options: StageOptions): Promise<Stage> {
  return new PixiStage(await createRenderer(options.host), options);
}

/** Makes the game's picture. Every method but `resize` and `destroy` needs `load` first. */
class PixiStage implements Stage {
  private readonly renderer: WebGLRenderer;
  private readonly options: StageOptions;
  private readonly clock: Clock;
  private readonly budget = new FrameBudget();
  private size: StageSize;
  private artwork: Artwork | undefined;
  private loaded: { picture: Picture; director: SpinDirector; flight: MultiplierFlight } | undefined;
  private entered = false;
  private frugal = false;
  private savesBattery = false;
  private undrawnMs = 0;
  private readonly renderOptions: { container: Picture['root'] } | { container: undefined } = { container: undefined };

  constructor(renderer: WebGLRenderer, options: StageOptions) {
    this.renderer = renderer;
    this.options = options;
    this.clock = new Clock(this.frame);
    const { width, height } = renderer.screen;
    this.size = { width, height, free: { x: 0, y: 0, width, height } };
  }

  async load(onProgress: (progress: number) => void): Promise<void> {
    const { resolution } = this.renderer;
    const { width, height } = this.size;
    const symbolSize = symbolTextureSize({ width, height, resolution });
    const screenWidth = Math.max(width, height) * resolution;
    const [artwork] = await Promise.all([loadArtwork({ symbolSize, screenWidth }, onProgress), loadFonts()]);
    this.artwork = artwork;
    // Uploading a texture when it is first drawn makes that frame stutter.
    for (const source of artwork.sources()) this.renderer.texture.initSource(source);
    const { audio, reducedMotion } = this.options;
    const { clock, size } = this;
    const picture = new Picture(this.renderer, artwork, { clock, audio, calm: reducedMotion, size });
    const flight = new MultiplierFlight(artwork, { clock, picture });
    picture.root.addChild(flight.view);
    this.renderOptions.container = picture.root;
    this.loaded = { picture, director: new SpinDirector(picture, audio), flight };
    if (drawsInSoftware(this.renderer)) this.economise();
    this.warmUp(picture);
  }

  enter(): void {
    this.entered = true;
    this.clock.start();
  }

  showBoard(board: Board): void {
    const { picture, director } = this.parts;
    this.clearWins();
    director.show(board);
    if (!this.entered) {
      picture.update(0, this.clock.nowMs);
      this.draw();
    }
  }

  startReels(spin: SpinKind, pace: Showing['pace']): void {
    this.clearWins();
    this.parts.director.start(spin, pace);
  }

  stopReels(board: Board, anticipation: readonly boolean[], showing: Showing): Promise<void> {
    return this.parts.director.stop(board, anticipation, showing);
  }

  async showLineWins(wins: readonly LineWin[], write: (win: LineWin) => string, showing: Showing): Promise<void> {
    const { picture } = this.parts;
    if (wins.length === 0) return;
    if (showing.pace !== 'instant') {
      this.options.audio.play('lineWin');
      this.sparkle(wins);
      await picture.board.lines.show(wins, write, { showing, highlight: this.highlight });
    }
    const paying = placesOf(wins);
    picture.board.setModes((place) => (paying.has(place) ? 'glow' : 'rest'));
  }

  showLine(win: LineWin, amount: string): void {
    const { picture } = this.parts;
    const calm = this.options.reducedMotion;
    picture.board.lines.showAlone(win, amount, { calm });
    const paying = placesOf([win]);
    const lively = calm ? 'glow' : 'win';
    picture.board.setModes((place) => (paying.has(place) ? lively : 'dim'));
  }

  markLines(wins: readonly LineWin[]): void {
    this.parts.picture.board.lines.mark(wins);
  }

  symbolAt(point: Point): SymbolPlace | undefined {
    return symbolAt(this.parts.picture.layout, point);
  }

  clearWins(): void {
    const { picture } = this.parts;
    picture.board.lines.clear();
    picture.board.setModes(() => 'rest');
  }

  celebrate(win: Celebration, showing: Showing): Promise<void> {
    return this.parts.picture.celebration.show(win, showing);
  }

  async pulse(positions: readonly Position[], showing: Showing): Promise<void> {
    const { picture } = this.parts;
    if (showing.pace === 'instant') return;
    const lively = new Set(positions.map(({ reel, row }) => reel * ROWS + row));
    picture.board.setModes((place) => (lively.has(place) ? 'pulse' : 'dim'));
    for (const position of positions) this.burstAt(position);
    await this.clock.wait(PULSE_MS * SHOW_TIME_FACTOR[showing.pace], showing.skipped);
    picture.board.setModes((place) => (lively.has(place) ? 'glow' : 'rest'));
  }

  async changeScene(scene: Scene, showing: Showing): Promise<void> {
    const { picture } = this.parts;
    const change = () => picture.setFreeSpins(scene === 'freeSpins');
    if (showing.pace === 'instant') {
      change();
      return;
    }
    this.options.audio.play('trainWhistle');
    await picture.wipe.run(change, { skipped: showing.skipped, factor: SHOW_TIME_FACTOR[showing.pace] });
  }

  announce(card: AnnouncementCard, showing: Showing): Promise<void> {
    return this.parts.picture.announcement.show(card, showing);
  }

  async setMultiplier(multiplier: number, positions: readonly Position[], showing: Showing): Promise<void> {
    const { picture, flight } = this.parts;
    if (showing.pace === 'instant' || positions.length === 0) {
      picture.gauge.show(multiplier);
      return;
    }
    const lively = new Set(positions.map(({ reel, row }) => reel * ROWS + row));
    picture.board.setModes((place) => (lively.has(place) ? 'pulse' : 'rest'));
    await flight.fly(positions, { signal: showing.skipped, factor: SHOW_TIME_FACTOR[showing.pace] });
    picture.board.setModes(() => 'rest');
    this.options.audio.play('multiplierUp');
    await picture.gauge.flare(multiplier, showing.skipped);
  }

  saveBattery(on: boolean): void {
    this.savesBattery = on;
    this.clock.shortestFrameMs = on ? BATTERY_FRAME_MS : 0;
  }

  resize(size: StageSize): void {
    this.size = size;
    this.renderer.resize(Math.max(1, size.width), Math.max(1, size.height));
    this.loaded?.picture.resize(size);
    this.draw();
  }

  destroy(): void {
    this.clock.stop();
    this.loaded?.director.finish();
    // Waiting steps end first, while everything that they draw still exists.
    setTimeout(() => {
      this.loaded?.picture.destroy();
      this.artwork?.destroy();
      this.renderer.destroy({ removeView: true });
    }, 0);
  }

  private get parts(): NonNullable<PixiStage['loaded']> {
    if (this.loaded === undefined) throw new Error('The stage is used before it is loaded.');
    return this.loaded;
  }

  private readonly frame = (deltaMs: number): void => {
    const { loaded } = this;
    if (loaded === undefined) return;
    loaded.picture.update(deltaMs, this.clock.nowMs);
    loaded.director.update();
    this.undrawnMs += deltaMs;
    const lively = this.clock.busy || loaded.picture.schedule.moving;
    if (lively || !this.frugal || this.undrawnMs >= FRUGAL_IDLE_MS) this.draw();
    // With fewer frames on purpose, long ones say nothing about the machine.
    if (!this.frugal && !this.savesBattery && this.budget.exceeded(deltaMs)) this.economise();
  };

  private economise(): void {
    this.frugal = true;
    this.loaded?.picture.economise();
    this.renderer.resize(this.size.width, this.size.height, Math.min(1, this.renderer.resolution));
  }

  /**
   * Draws each special shader once, because compiling one during a win stutters.
   */
  private warmUp(picture: Picture): void {
    picture.board.warmUp(true);
    this.draw();
    picture.board.warmUp(false);
    this.draw();
  }

  private draw(): void {
    this.undrawnMs = 0;
    if (this.renderOptions.container !== undefined) this.renderer.render(this.renderOptions);
  }

  private readonly highlight = (shown: readonly LineWin[]): void => {
    const paying = placesOf(shown);
    this.parts.picture.board.setModes((place) => (paying.has(place) ? 'win' : 'dim'));
  };

  private sparkle(wins: readonly LineWin[]): void {
    const seen = new Set<number>();
    for (const { positions } of wins) {
      for (const position of positions) {
        const place = position.reel * ROWS + position.row;
        if (!seen.has(place)) this.burstAt(position);
        seen.add(place);
      }
    }
  }

  private burstAt({ reel, row }: Position): void {
    const { board, layout, sparks } = this.parts.picture;
    sparks.burst({
      x: board.view.x + board.x(reel) * board.view.scale.x,
      y: board.view.y + board.y(row) * board.view.scale.y,
      count: 9,
      size: layout.symbolSize * 0.26,
      reach: layout.symbolSize * 0.8,
    });
  }
}

function placesOf(wins: readonly LineWin[]): Set<number> {
  return new Set(wins.flatMap((win) => win.positions.map(({ reel, row }) => reel * ROWS + row)));
}
