import { createCanvas, type Painted } from './tiles.ts';

function radial(name: string, side: number, stops: readonly (readonly [number, string])[]): Painted {
  return {
    name,
    width: side,
    height: side,
    paint: (context) => {
      const half = side / 2;
      const gradient = context.createRadialGradient(half, half, 0, half, half, half);
      for (const [at, colour] of stops) gradient.addColorStop(at, colour);
      context.fillStyle = gradient;
      context.fillRect(0, 0, side, side);
    },
  };
}

function linear(
  name: string,
  size: { width: number; height: number; down: boolean },
  stops: readonly string[],
): Painted {
  return {
    name,
    width: size.width,
    height: size.height,
    stretched: true,
    paint: (context, width, height) => {
      const gradient = context.createLinearGradient(0, 0, size.down ? 0 : width, size.down ? height : 0);
      stops.forEach((colour, index) => {
        gradient.addColorStop(index / (stops.length - 1), colour);
      });
      context.fillStyle = gradient;
      context.fillRect(0, 0, width, height);
    },
  };
}

/** Returns gradients drawn by code. They are white where a sprite's tint gives the colour. */
export function lightsAndShades(): Painted[] {
  return [
    linear('white', { width: 8, height: 8, down: true }, ['#fff', '#fff']),
    radial('dot', 24, [
      [0, '#fff'],
      [0.3, 'rgba(255,255,255,.75)'],
      [1, 'rgba(255,255,255,0)'],
    ]),
    radial('soft', 128, [
      [0, 'rgba(255,255,255,.9)'],
      [0.35, 'rgba(255,255,255,.42)'],
      [0.7, 'rgba(255,255,255,.1)'],
      [1, 'rgba(255,255,255,0)'],
    ]),
    {
      ...radial('vignette', 128, [
        [0, 'rgba(0,0,0,0)'],
        [0.6, 'rgba(0,0,0,.1)'],
        [1, 'rgba(0,0,0,.8)'],
      ]),
      stretched: true,
    },
    steam(),
    medal(),
    linear('shadeDown', { width: 8, height: 96, down: true }, [
      'rgba(0,0,0,1)',
      'rgba(0,0,0,.42)',
      'rgba(0,0,0,.12)',
      'rgba(0,0,0,0)',
    ]),
    linear('fadeDown', { width: 8, height: 96, down: true }, ['rgba(255,255,255,1)', 'rgba(255,255,255,0)']),
    linear('streak', { width: 96, height: 6, down: false }, [
      'rgba(255,255,255,0)',
      'rgba(255,255,255,.9)',
      'rgba(255,255,255,1)',
      'rgba(255,255,255,0)',
    ]),
    linear('barrel', { width: 96, height: 8, down: false }, [
      '#03061a',
      '#111a4a',
      '#182463',
      '#1b2a70',
      '#182463',
      '#111a4a',
      '#03061a',
    ]),
    linear('divider', { width: 12, height: 8, down: false }, [
      '#2a1704',
      '#7a4a14',
      '#fff0b8',
      '#d79a3b',
      '#5f360c',
      '#1a0e03',
    ]),
    linear('column', { width: 96, height: 8, down: false }, [
      'rgba(255,255,255,0)',
      'rgba(255,255,255,1)',
      'rgba(255,255,255,.34)',
      'rgba(255,255,255,.16)',
      'rgba(255,255,255,.12)',
      'rgba(255,255,255,.16)',
      'rgba(255,255,255,.34)',
      'rgba(255,255,255,1)',
      'rgba(255,255,255,0)',
    ]),
  ];
}

/** Returns the background of a line's number: dark enamel in a ring of brass. */
function medal(): Painted {
  const side = 72;
  return {
    name: 'medal',
    width: side,
    height: side,
    paint: (context) => {
      const half = side / 2;
      const ring = context.createLinearGradient(0, 0, 0, side);
      ring.addColorStop(0, '#fff6cf');
      ring.addColorStop(0.45, '#f4c867');
      ring.addColorStop(0.55, '#a8691f');
      ring.addColorStop(1, '#f4c867');
      const discs: [number, string | CanvasGradient][] = [
        [half - 1, '#080516'],
        [half - 4, ring],
        [half - 10, '#2a1408'],
        [half - 12, '#131a52'],
      ];
      for (const [radius, fill] of discs) {
        context.beginPath();
        context.arc(half, half, radius, 0, Math.PI * 2);
        context.fillStyle = fill;
        context.fill();
      }
    },
  };
}

/** Returns a puff of steam: many soft balls. */
function steam(): Painted {
  const side = 192;
  return {
    name: 'puff',
    width: side,
    height: side,
    paint: (context) => {
      for (let ball = 0; ball < 26; ball++) {
        const angle = ball * 2.399963;
        const away = Math.sqrt(ball / 26) * side * 0.27;
        const x = side / 2 + Math.cos(angle) * away;
        const y = side / 2 + Math.sin(angle) * away;
        const radius = side * (0.22 - (0.08 * ball) / 26);
        const gradient = context.createRadialGradient(x, y - radius * 0.25, 0, x, y, radius);
        gradient.addColorStop(0, 'rgba(255,255,255,.42)');
        gradient.addColorStop(0.6, 'rgba(236,242,255,.2)');
        gradient.addColorStop(1, 'rgba(225,232,255,0)');
        context.fillStyle = gradient;
        context.fillRect(0, 0, side, side);
      }
    },
  };
}

/** Returns a sunburst of wedges that fade outwards, behind large wins. */
export function sunburst(side: number): HTMLCanvasElement {
  const context = createCanvas({ width: side, height: side });
  const half = side / 2;
  const gradient = context.createRadialGradient(half, half, 0, half, half, half);
  gradient.addColorStop(0, 'rgba(255,255,255,.95)');
  gradient.addColorStop(0.35, 'rgba(255,255,255,.5)');
  gradient.addColorStop(0.75, 'rgba(255,255,255,.14)');
  gradient.addColorStop(1, 'rgba(255,255,255,0)');
  context.fillStyle = gradient;
  const wedges = 18;
  for (let wedge = 0; wedge < wedges; wedge++) {
    const from = (wedge / wedges) * Math.PI * 2;
    context.beginPath();
    context.moveTo(half, half);
    context.arc(half, half, half, from, from + (Math.PI / wedges) * (wedge % 2 === 0 ? 1.15 : 0.7));
    context.closePath();
    context.fill();
  }
  return context.canvas;
}
