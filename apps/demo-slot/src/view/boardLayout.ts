import { REELS, ROWS } from '../../rules.ts';
import type { Point, Rect, StageSize, SymbolPlace } from '../game/ports.ts';

export type { Rect };

/** `tiny` is a small pop-out with room for the reels only. */
type LayoutKind = 'wide' | 'portrait' | 'landscape' | 'tiny';

export type BoardLayout = {
  readonly kind: LayoutKind;
  /** A symbol's square has this side. */
  readonly symbolSize: number;
  readonly columnPitch: number;
  readonly rowPitch: number;
  /** The opening in the frame, in which the reels turn. */
  readonly window: Rect;
  /** It includes the frame's border. */
  readonly frame: Rect;
  readonly border: number;
  readonly logo: { readonly rect: Rect; readonly art: 'logo' | 'logoSmall' } | undefined;
  /** The firebox shows the free spins' multiplier. In portrait it takes the logo's place. */
  readonly gauge: Rect;
  /** The ground lies below this line. */
  readonly horizonY: number;
  readonly width: number;
  readonly height: number;
};

/** All lengths are sides of a symbol. */
type Proportions = {
  readonly column: number;
  readonly row: number;
  readonly border: number;
  readonly padding: number;
  /** This room stays free around the frame. */
  readonly margin: number;
};

const PROPORTIONS: Readonly<Record<LayoutKind, Proportions>> = {
  wide: { column: 1.06, row: 1.02, border: 0.2, padding: 0.05, margin: 0.06 },
  portrait: { column: 1, row: 1.16, border: 0.17, padding: 0.02, margin: 0.03 },
  landscape: { column: 1.06, row: 1, border: 0.17, padding: 0.03, margin: 0.02 },
  tiny: { column: 1.06, row: 1, border: 0.12, padding: 0.02, margin: 0 },
};

const LOGO_RATIO = 900 / 260;
const LOGO_SMALL_RATIO = 560 / 330;
/** The logo overlaps the frame's upper edge by this part of its height. */
const LOGO_OVERLAP = 0.2;

function layoutKind(free: Rect): LayoutKind {
  if (free.height > free.width * 1.02) return 'portrait';
  if (free.height < 230) return 'tiny';
  return free.height < 430 ? 'landscape' : 'wide';
}

export function layoutBoard(size: StageSize): BoardLayout {
  const kind = layoutKind(size.free);
  return kind === 'portrait' ? layoutPortrait(size) : layoutAcross(size, kind);
}

function framedSize(parts: Proportions): { width: number; height: number } {
  const around = 2 * (parts.border + parts.padding + parts.margin);
  return { width: REELS * parts.column + around, height: ROWS * parts.row + around };
}

function layoutAcross(size: StageSize, kind: LayoutKind): BoardLayout {
  const parts = PROPORTIONS[kind];
  const { free } = size;
  const framed = framedSize(parts);
  const logoHeight = kind === 'wide' ? 0.82 : 0;
  const above = logoHeight * (1 - LOGO_OVERLAP);
  const symbolSize = Math.min(free.width / framed.width, free.height / (framed.height + above));
  const centreX = free.x + free.width / 2;
  const frameTop = free.y + (free.height - (framed.height + above) * symbolSize) / 2 + above * symbolSize;
  const frameCentreY = frameTop + (framed.height * symbolSize) / 2;
  const logo = logoHeight === 0 ? undefined : logoAbove({ centreX, frameTop, height: logoHeight * symbolSize });
  return finish({ size, kind, symbolSize, centreX, frameCentreY, logo });
}

function logoAbove(at: { centreX: number; frameTop: number; height: number }): BoardLayout['logo'] {
  const width = at.height * LOGO_RATIO;
  const y = at.frameTop - at.height * (1 - LOGO_OVERLAP);
  return { art: 'logo', rect: { x: at.centreX - width / 2, y, width, height: at.height } };
}

/** The reels are as wide as the screen. The logo is above them, the taller one if it fits. */
function layoutPortrait(size: StageSize): BoardLayout {
  const parts = PROPORTIONS.portrait;
  const { free } = size;
  const framed = framedSize(parts);
  const symbolSize = Math.min(free.width / framed.width, free.height / framed.height);
  const frameHeight = framed.height * symbolSize;
  const left = free.height - frameHeight;
  const art = left > free.width * 0.42 ? 'logoSmall' : 'logo';
  const ratio = art === 'logo' ? LOGO_RATIO : LOGO_SMALL_RATIO;
  const logoWidth = Math.min(free.width * (art === 'logo' ? 0.86 : 0.62), left * 0.8 * ratio);
  const logoHeight = logoWidth / ratio;
  const hasLogo = logoHeight > 40;
  const gap = Math.max(0, left - (hasLogo ? logoHeight : 0));
  const centreX = free.x + free.width / 2;
  const logoTop = free.y + gap * 0.2;
  const frameTop = hasLogo ? logoTop + logoHeight + gap * 0.07 : free.y + gap / 2;
  const logo: BoardLayout['logo'] = hasLogo
    ? { art, rect: { x: centreX - logoWidth / 2, y: logoTop, width: logoWidth, height: logoHeight } }
    : undefined;
  return finish({ size, kind: 'portrait', symbolSize, centreX, frameCentreY: frameTop + frameHeight / 2, logo });
}

function finish(found: {
  size: StageSize;
  kind: LayoutKind;
  symbolSize: number;
  centreX: number;
  frameCentreY: number;
  logo: BoardLayout['logo'];
}): BoardLayout {
  const { size, kind, symbolSize, centreX, frameCentreY, logo } = found;
  const parts = PROPORTIONS[kind];
  const columnPitch = parts.column * symbolSize;
  const rowPitch = parts.row * symbolSize;
  const window = centred({
    centreX,
    centreY: frameCentreY,
    width: REELS * columnPitch + 2 * parts.padding * symbolSize,
    height: ROWS * rowPitch + 2 * parts.padding * symbolSize,
  });
  const border = parts.border * symbolSize;
  const frame = {
    x: window.x - border,
    y: window.y - border,
    width: window.width + 2 * border,
    height: window.height + 2 * border,
  };
  return {
    kind,
    symbolSize,
    columnPitch,
    rowPitch,
    window,
    frame,
    border,
    logo,
    gauge: placeGauge({ size, kind, symbolSize, frame, logo }),
    horizonY: horizon(size, kind),
    width: size.width,
    height: size.height,
  };
}

function centred(box: { centreX: number; centreY: number; width: number; height: number }): Rect {
  return { x: box.centreX - box.width / 2, y: box.centreY - box.height / 2, width: box.width, height: box.height };
}

function placeGauge(found: {
  size: StageSize;
  kind: LayoutKind;
  symbolSize: number;
  frame: Rect;
  logo: BoardLayout['logo'];
}): Rect {
  const { size, kind, symbolSize, frame, logo } = found;
  if (kind === 'portrait') {
    const above = frame.y - size.free.y;
    const side = Math.min(Math.max(above * 0.86, symbolSize * 1.1), symbolSize * 2.5);
    const centreY = logo === undefined ? frame.y : Math.max(size.free.y + side / 2, frame.y - side * 0.56);
    return centred({ centreX: size.free.x + size.free.width / 2, centreY, width: side, height: side });
  }
  const beside = size.free.x + size.free.width - (frame.x + frame.width);
  const fits = beside >= symbolSize * 0.85;
  // Where the frame leaves too little room the firebox sits small on its upper right corner.
  const side = fits ? Math.min(symbolSize * 1.7, Math.max(symbolSize * 0.9, beside * 0.96)) : symbolSize * 0.8;
  const centreX = Math.min(frame.x + frame.width + beside / 2, size.free.x + size.free.width - side / 2);
  const centreY = fits ? frame.y + frame.height * 0.5 : Math.max(size.free.y + side / 2, frame.y + side * 0.1);
  return centred({ centreX, centreY, width: side, height: side });
}

/** Puts the horizon low for a large sky, but above the buttons, so that a train is visible. */
function horizon(size: StageSize, kind: LayoutKind): number {
  const freeEnd = size.free.y + size.free.height;
  return kind === 'portrait' ? freeEnd - size.free.height * 0.07 : freeEnd - size.free.height * 0.075;
}

/** Returns the symbol under a point, with its square; undefined outside of the window. */
export function symbolAt(
  {
    window,
    columnPitch,
    rowPitch,
    symbolSize,
  }: Pick<BoardLayout, 'window' | 'columnPitch' | 'rowPitch' | 'symbolSize'>,
  { x, y }: Point,
): SymbolPlace | undefined {
  const centreX = window.x + window.width / 2;
  const centreY = window.y + window.height / 2;
  const reel = Math.floor((x - centreX) / columnPitch + REELS / 2);
  const row = Math.floor((y - centreY) / rowPitch + ROWS / 2);
  if (reel < 0 || reel >= REELS || row < 0 || row >= ROWS) return undefined;
  const box = centred({
    centreX: centreX + (reel - (REELS - 1) / 2) * columnPitch,
    centreY: centreY + (row - (ROWS - 1) / 2) * rowPitch,
    width: symbolSize,
    height: symbolSize,
  });
  return { reel, row, box };
}

const SMALLEST = 112;
const LARGEST = 320;

/**
 * Returns the texels that the side of a symbol needs on this screen in either orientation, in steps
 * of 16. Chosen once, so that a turned device needs no new textures.
 */
export function symbolTextureSize(screen: { width: number; height: number; resolution: number }): number {
  const upright = cell(screen.width, screen.height);
  const turned = cell(screen.height, screen.width);
  const texels = Math.max(upright, turned) * screen.resolution;
  return Math.min(LARGEST, Math.max(SMALLEST, Math.ceil(texels / 16) * 16));
}

function cell(width: number, height: number): number {
  return layoutBoard({ width, height, free: { x: 0, y: 0, width, height: height * 0.86 } }).symbolSize;
}
