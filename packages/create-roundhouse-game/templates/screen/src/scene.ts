import { Application, type Container, Text } from 'pixi.js';

/** What the scene shows in its middle, as large as the page allows. */
export type Picture = {
  root: Container;
  /**
   * Arranges itself for a space of this height ÷ width, and returns its size in its own units.
   */
  arrange(aspect: number): { width: number; height: number };
  /**
   * Draws one frame, with the milliseconds since the last one. Returns whether anything still
   * moves.
   */
  update(ms: number): boolean;
};

export type Scene = {
  readonly app: Application;
  show(picture: Picture): void;
  /** Draws again until nothing moves. A board at rest costs no power. */
  wake(): void;
  /** From now on all moves this many times as fast. */
  setTempo(tempo: number): void;
  /** Shows large letters over the picture, for a moment. */
  announce(text: string): void;
};

/** The event player is this much faster in its pace 'turbo', too. */
export const TURBO_TEMPO = 2;
const LETTERS_MS = 2200;
const LONGEST_FRAME_MS = 250;
/** The share of the page's width that a picture leaves free. */
const MARGIN = 0.02;

export async function createScene(element: HTMLElement): Promise<Scene> {
  const app = new Application();
  await app.init({
    resizeTo: element,
    backgroundAlpha: 0,
    antialias: true,
    autoDensity: true,
    resolution: Math.min(2, devicePixelRatio),
  });
  app.canvas.style.position = 'absolute';
  element.append(app.canvas);
  new ResizeObserver(() => app.resize()).observe(element);

  const words = announcement();
  app.stage.addChild(words);
  let isMoving = true;
  let tempo = 1;
  const wake = () => {
    isMoving = true;
    app.ticker.start();
  };

  return {
    app,
    wake,
    show({ root, arrange, update }) {
      const fit = () => {
        const { width, height } = app.screen;
        const margin = MARGIN * width;
        const [free, high] = [width - 2 * margin, height - 2 * Math.min(margin, MARGIN * height)];
        const size = arrange(high / free);
        const scale = Math.min(free / size.width, high / size.height);
        // Tests cannot see into a canvas, so this puts width and height on the
        // page.
        element.dataset.picture = `${Math.round(size.width * scale)} ${Math.round(size.height * scale)}`;
        root.scale.set(scale);
        root.position.set((width - size.width * scale) / 2, (height - size.height * scale) / 2);
        words.position.set(width / 2, height / 2);
        wake();
      };
      app.stage.addChildAt(root, 0);
      app.ticker.add(({ elapsedMS }) => {
        // The ticker stops after a frame without motion, which has been drawn.
        if (!isMoving && words.alpha === 0) app.ticker.stop();
        words.alpha = Math.max(0, words.alpha - elapsedMS / LETTERS_MS);
        // A hidden page continues where it was.
        isMoving = update(tempo * Math.min(elapsedMS, LONGEST_FRAME_MS));
      });
      app.renderer.on('resize', fit);
      fit();
    },
    setTempo(next) {
      tempo = next;
    },
    announce(text) {
      words.text = text;
      words.scale.set(1);
      words.scale.set(Math.min(1, (0.9 * app.screen.width) / words.width));
      words.alpha = 1.4;
      wake();
    },
  };
}

function announcement(): Text {
  const words = new Text({
    style: {
      fontFamily: 'system-ui, sans-serif',
      fontWeight: '900',
      fontSize: 84,
      fill: '#fff3c4',
      stroke: { color: '#8a2b00', width: 14, join: 'round' },
    },
  });
  words.anchor.set(0.5);
  words.alpha = 0;
  return words;
}
