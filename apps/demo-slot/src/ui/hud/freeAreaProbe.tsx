import { useLayoutEffect, useRef } from 'preact/hooks';

/** CSS pixels, from the window's top left corner. */
export type FreeArea = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/**
 * The cell of the layout that holds no buttons: what is left for the reels. It is measured, so the
 * layout stays in the stylesheets alone.
 */
export function FreeAreaProbe({ onFreeArea }: { onFreeArea: (area: FreeArea) => void }) {
  const cell = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = cell.current;
    const hud = element?.parentElement;
    if (!element || !hud) return;
    let told = '';
    const tell = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const area = [x, y, width, height].map(Math.round).join(' ');
      if (area !== told) onFreeArea({ x, y, width, height });
      told = area;
    };
    tell();
    // A bar that grows on one side and shrinks on the other moves the cell without resizing it, so
    // the bars are watched too.
    const observer = new ResizeObserver(tell);
    for (const watched of [hud, ...hud.children]) observer.observe(watched);
    return () => observer.disconnect();
  }, [onFreeArea]);

  return <div class="freeArea" aria-hidden="true" ref={cell} />;
}
