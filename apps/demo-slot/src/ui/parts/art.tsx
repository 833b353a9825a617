import type { SymbolCode } from '../../../rules.ts';
import { symbolName } from '../../texts/texts.ts';
import { useUi } from '../uiContext.ts';

const ICONS = import.meta.glob<string>('../../assets/icons/*.svg', { query: '?raw', import: 'default', eager: true });

export type IconName =
  | 'autoplay'
  | 'bonus'
  | 'check'
  | 'close'
  | 'coins'
  | 'exitFullscreen'
  | 'fullscreen'
  | 'history'
  | 'home'
  | 'info'
  | 'menu'
  | 'minus'
  | 'play'
  | 'plus'
  | 'shield'
  | 'soundOff'
  | 'soundOn'
  | 'spin'
  | 'stop'
  | 'superTurbo'
  | 'turbo'
  | 'warning';

/**
 * Shows a drawing in the colour of the text around it. The button has the name for screen readers.
 */
export function Icon({ name }: { name: IconName }) {
  const svg = ICONS[`../../assets/icons/${name}.svg`] ?? '';
  return <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />;
}

const ART = import.meta.glob<string>('../../assets/symbols/?{,?}.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

export function useSymbolName(symbol: SymbolCode): string {
  return symbolName(symbol, useUi());
}

/** A text beside the picture names the symbol, so `alt` is empty. */
export function SymbolArt({ symbol }: { symbol: SymbolCode }) {
  const source = ART[`../../assets/symbols/${symbol}.svg`];
  return <img class="symbolArt" src={source} alt="" width="256" height="256" draggable={false} />;
}
