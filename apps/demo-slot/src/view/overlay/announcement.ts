import { Easing } from '@tweenjs/tween.js';
import { Container, NineSliceSprite, Sprite } from 'pixi.js';
import type { AnnouncementCard, Showing } from '../../game/ports.ts';
import type { Artwork } from '../art/artwork.ts';
import type { BoardLayout, Rect } from '../boardLayout.ts';
import type { Clock } from '../clock.ts';
import type { Sparks } from '../scene/sparks.ts';
import { SHOW_TIME_FACTOR } from '../times.ts';
import { createWords, writeTitle, writeWords } from '../words.ts';

const HOLD_MS: Readonly<Record<AnnouncementCard['kind'], number>> = {
  freeSpinsStart: 2300,
  freeSpinsMore: 1500,
  freeSpinsEnd: 3200,
};
const FRAME_EDGE = 0.075;

/** Shows a card in the middle of the screen: a title, a large number or amount, a note. */
export class AnnouncementView {
  readonly view = new Container();
  private readonly clock: Clock;
  private readonly sparks: Sparks;
  private readonly calm: boolean;
  private readonly shade: Sprite;
  private readonly rays: Sprite;
  private readonly glow: Sprite;
  private readonly card = new Container();
  private readonly back: Sprite;
  private readonly sheen: Sprite;
  private readonly fan: Sprite;
  private readonly frame: NineSliceSprite;
  private readonly title = createWords('title');
  private readonly value = createWords('amount');
  private readonly note = createWords('note');
  private screen: BoardLayout | undefined;
  private free: Rect = { x: 0, y: 0, width: 1, height: 1 };

  constructor(artwork: Artwork, options: { clock: Clock; sparks: Sparks; calm: boolean }) {
    this.clock = options.clock;
    this.sparks = options.sparks;
    this.calm = options.calm;
    this.shade = new Sprite(artwork.get('white'));
    this.shade.tint = 0x03041a;
    this.shade.alpha = 0.86;
    this.rays = centred(artwork, 'sunburst', { tint: 0xffd98a, alpha: 0.2, add: true });
    this.glow = centred(artwork, 'soft', { tint: 0x7a5bff, alpha: 0.75, add: true });
    this.back = centred(artwork, 'white', { tint: 0x0b1038, alpha: 0.96, add: false });
    this.sheen = centred(artwork, 'soft', { tint: 0x3f4fd0, alpha: 0.55, add: true });
    this.fan = centred(artwork, 'sunburst', { tint: 0xe6a83f, alpha: 0.22, add: true });
    const texture = artwork.get('ui/frame');
    const corner = texture.width * 0.153;
    this.frame = new NineSliceSprite({
      texture,
      leftWidth: corner,
      rightWidth: corner,
      topHeight: corner,
      bottomHeight: corner,
      anchor: 0.5,
    });
    this.card.addChild(this.back, this.sheen, this.fan, this.frame, this.title, this.value, this.note);
    this.view.addChild(this.shade, this.rays, this.glow, this.card);
    this.view.visible = false;
  }

  layout(screen: BoardLayout, free: Rect): void {
    this.screen = screen;
    this.free = free;
    this.shade.setSize(screen.width, screen.height);
    if (this.view.visible) this.place();
  }

  async show(card: AnnouncementCard, showing: Showing): Promise<void> {
    if (showing.pace === 'instant' || showing.skipped.aborted) return;
    const room = { width: 1, height: 1 };
    writeTitle(this.title, card.title);
    writeWords(this.value, card.value, room);
    writeWords(this.note, card.note ?? '', room);
    this.place();
    await this.enter();
    await this.clock.wait(HOLD_MS[card.kind] * Math.max(0.55, SHOW_TIME_FACTOR[showing.pace]), showing.skipped);
    await this.clock.tween(this.view, { alpha: 0 }, { ms: 240 });
    this.view.visible = false;
  }

  update(deltaMs: number): void {
    if (this.view.visible && !this.calm) this.rays.rotation += deltaMs / 8000;
  }

  private place(): void {
    const { screen, free } = this;
    if (screen === undefined) return;
    const width = Math.min(free.width * 0.9, free.height * 1.42, Math.max(760, free.height * 1.15));
    const height = Math.min(width * 0.66, free.height * 0.94);
    const centreX = screen.width / 2;
    const centreY = free.y + free.height / 2;
    for (const part of [this.card, this.rays, this.glow]) part.position.set(centreX, centreY);
    this.rays.setSize(Math.hypot(screen.width, screen.height));
    this.glow.setSize(width * 2, height * 2.1);
    this.back.setSize(width * 0.95, height * 0.92);
    this.sheen.setSize(width * 0.95, height * 0.9);
    this.fan.setSize(width * 0.84, height * 0.84);
    const edge = (this.frame.texture.width * 41) / 600;
    const scale = (width * FRAME_EDGE * 0.55) / edge;
    this.frame.scale.set(scale);
    this.frame.setSize(width / scale, height / scale);
    const inner = width * 0.8;
    const hasNote = this.note.text !== '';
    writeWords(this.title, this.title.text, { width: inner, height: height * 0.23 });
    this.title.y = -height * (hasNote ? 0.265 : 0.23);
    writeWords(this.value, this.value.text, { width: inner * 0.92, height: height * (hasNote ? 0.5 : 0.54) });
    this.value.y = height * (hasNote ? 0.03 : 0.1);
    writeWords(this.note, this.note.text, { width: inner, height: height * 0.088 });
    this.note.y = height * 0.31;
  }

  private async enter(): Promise<void> {
    this.view.visible = true;
    this.view.alpha = 0;
    this.card.scale.set(this.calm ? 1 : 0.6);
    if (!this.calm) {
      this.sparks.burst({
        x: this.card.x,
        y: this.card.y,
        count: 40,
        size: this.free.height * 0.08,
        reach: this.free.height * 0.55,
      });
    }
    await Promise.all([
      this.clock.tween(this.view, { alpha: 1 }, { ms: 220 }),
      this.clock.tween(this.card.scale, { x: 1, y: 1 }, { ms: 420, easing: Easing.Back.Out }),
    ]);
  }
}

function centred(artwork: Artwork, name: string, look: { tint: number; alpha: number; add: boolean }): Sprite {
  const sprite = new Sprite(artwork.get(name));
  sprite.anchor.set(0.5);
  sprite.tint = look.tint;
  sprite.alpha = look.alpha;
  if (look.add) sprite.blendMode = 'add';
  return sprite;
}
