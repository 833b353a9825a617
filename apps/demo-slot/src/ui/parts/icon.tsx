const ICONS = import.meta.glob<string>('../../assets/icons/*.svg', { query: '?raw', import: 'default', eager: true });

export type IconName =
  | 'autoplay'
  | 'bonus'
  | 'close'
  | 'exitFullscreen'
  | 'fullscreen'
  | 'info'
  | 'menu'
  | 'minus'
  | 'play'
  | 'plus'
  | 'soundOff'
  | 'soundOn'
  | 'spin'
  | 'stop'
  | 'superTurbo'
  | 'turbo'
  | 'warning';

/**
 * One of the game's own drawings, in the colour of the text around it. The button's name says what
 * it means.
 */
export function Icon({ name }: { name: IconName }) {
  const svg = ICONS[`../../assets/icons/${name}.svg`] ?? '';
  return <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg }} />;
}
