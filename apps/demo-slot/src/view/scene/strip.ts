import { Container, Sprite, type Texture } from 'pixi.js';

const MOST_COPIES = 5;

/** A picture that repeats sideways for ever: mountains, trees, rails. */
export class Strip {
  readonly view = new Container();
  /** CSS pixels that it has moved to the left. */
  offset = 0;
  private readonly copies: Sprite[] = [];
  private readonly texture: Texture;
  private copyWidth = 1;
  private seam = 0;

  constructor(texture: Texture) {
    this.texture = texture;
    for (let copy = 0; copy < MOST_COPIES; copy++) {
      const sprite = new Sprite(texture);
      this.copies.push(sprite);
      this.view.addChild(sprite);
    }
  }

  set tint(colour: number) {
    for (const sprite of this.copies) sprite.tint = colour;
  }

  /** `height`: of the picture in CSS pixels; its upper edge lies at `y`. */
  layout(place: { y: number; height: number; width: number }): void {
    this.copyWidth = Math.max(
      (place.height * this.texture.width) / this.texture.height,
      place.width / (MOST_COPIES - 2),
    );
    // Half a pixel of overlap: two edges that only touch show a hair line between them.
    this.seam = 0.5;
    for (const sprite of this.copies) sprite.setSize(this.copyWidth + this.seam, place.height);
    this.view.y = place.y;
    for (let copy = 0; copy < this.copies.length; copy++) {
      const sprite = this.copies[copy];
      if (sprite !== undefined) sprite.visible = (copy - 1) * this.copyWidth < place.width;
    }
    this.place();
  }

  move(distance: number): void {
    this.offset = (this.offset + distance) % this.copyWidth;
    this.place();
  }

  private place(): void {
    for (let copy = 0; copy < this.copies.length; copy++) {
      const sprite = this.copies[copy];
      if (sprite !== undefined) sprite.x = copy * this.copyWidth - this.offset;
    }
  }
}
