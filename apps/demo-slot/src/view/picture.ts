import { Container, Sprite, type WebGLRenderer } from 'pixi.js';
import { ROWS, SYMBOLS } from '../../rules.ts';
import type { AudioPort, StageSize } from '../game/ports.ts';
import type { Artwork } from './art/artwork.ts';
import { type BoardLayout, layoutBoard } from './boardLayout.ts';
import type { Clock } from './clock.ts';
import { AnnouncementView } from './overlay/announcement.ts';
import { CelebrationView } from './overlay/celebration.ts';
import { Gauge } from './overlay/gauge.ts';
import { BoardView } from './reels/boardView.ts';
import { ReelSchedule } from './reels/reelSchedule.ts';
import { Scenery } from './scene/scenery.ts';
import { Sparks } from './scene/sparks.ts';
import { SteamWipe } from './scene/steamWipe.ts';

const PARTICLES = { solid: 0, light: 160 };
const CALM_SHARE = 0.25;
const FRUGAL_SHARE = 0.5;

/** Everything that is drawn, from the sky to the steam. Built when the art is loaded. */
export class Picture {
  readonly root = new Container();
  readonly schedule: ReelSchedule;
  readonly scenery: Scenery;
  readonly board: BoardView;
  readonly gauge: Gauge;
  readonly celebration: CelebrationView;
  readonly announcement: AnnouncementView;
  readonly wipe: SteamWipe;
  readonly sparks: Sparks;
  layout: BoardLayout;
  private readonly logo: Sprite;
  private readonly logoSmall: Sprite;
  private readonly calm: boolean;
  private freeSpins = false;

  constructor(
    renderer: WebGLRenderer,
    artwork: Artwork,
    options: { clock: Clock; audio: AudioPort; calm: boolean; size: StageSize },
  ) {
    const { clock, audio, calm } = options;
    this.calm = calm;
    this.schedule = new ReelSchedule({ symbolCount: SYMBOLS.length, rows: ROWS });
    this.scenery = new Scenery(renderer, artwork);
    this.board = new BoardView(artwork, { schedule: this.schedule, clock, calm });
    this.sparks = new Sparks(artwork, PARTICLES);
    this.gauge = new Gauge(artwork, { clock, sparks: this.sparks, calm });
    this.celebration = new CelebrationView(artwork, { clock, audio, calm });
    this.announcement = new AnnouncementView(artwork, { clock, sparks: this.sparks, calm });
    this.wipe = new SteamWipe(artwork, { clock, calm });
    this.logo = new Sprite(artwork.get('ui/logo'));
    this.logoSmall = new Sprite(artwork.get('ui/logoSmall'));
    this.setShare(1);
    this.root.addChild(
      this.scenery.view,
      this.board.view,
      this.logo,
      this.logoSmall,
      this.gauge.view,
      this.celebration.view,
      this.announcement.view,
      this.sparks.view,
      this.wipe.view,
    );
    this.layout = layoutBoard(options.size);
    this.resize(options.size);
  }

  resize(size: StageSize): void {
    const layout = layoutBoard(size);
    this.layout = layout;
    this.scenery.resize(layout);
    this.board.layout(layout);
    this.gauge.layout(layout.gauge);
    this.celebration.layout(layout, size.free);
    this.announcement.layout(layout, size.free);
    this.wipe.resize(layout.width, layout.height);
    this.placeLogo();
  }

  /** Sets what differs between the scenes: sky and train, the frame's metal, firebox or logo. */
  setFreeSpins(freeSpins: boolean): void {
    this.freeSpins = freeSpins;
    this.scenery.rush = freeSpins ? (this.calm ? 0.6 : 1) : 0;
    this.board.free = freeSpins ? 1 : 0;
    this.gauge.view.visible = freeSpins;
    this.gauge.view.alpha = 1;
    if (freeSpins) this.gauge.show(1);
    this.placeLogo();
  }

  /** Draws less from now on. */
  economise(): void {
    this.scenery.setFrugal(true);
    this.setShare(FRUGAL_SHARE);
  }

  update(deltaMs: number, timeMs: number): void {
    this.scenery.update(deltaMs);
    this.schedule.update(deltaMs);
    this.board.update(deltaMs, timeMs);
    this.gauge.update(deltaMs, timeMs);
    this.celebration.update(deltaMs);
    this.announcement.update(deltaMs);
    this.sparks.update(deltaMs);
  }

  destroy(): void {
    this.scenery.destroy();
    this.root.destroy({ children: true });
  }

  private setShare(share: number): void {
    const calmed = this.calm ? CALM_SHARE : share;
    this.sparks.setShare(calmed);
    this.celebration.setShare(calmed);
    if (this.calm) this.scenery.setShare(CALM_SHARE);
  }

  private placeLogo(): void {
    const { logo } = this.layout;
    // In portrait the firebox takes the place of the logo.
    const hidden = logo === undefined || (this.freeSpins && this.layout.kind === 'portrait');
    this.logo.visible = !hidden && logo?.art === 'logo';
    this.logoSmall.visible = !hidden && logo?.art === 'logoSmall';
    if (logo === undefined) return;
    for (const sprite of [this.logo, this.logoSmall]) {
      sprite.position.set(logo.rect.x, logo.rect.y);
      sprite.setSize(logo.rect.width, logo.rect.height);
    }
  }
}
