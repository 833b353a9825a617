import type { SymbolCode } from '../../../rules.ts';
import { symbolName } from '../../texts/texts.ts';
import { useUi } from '../uiContext.ts';

const ART = import.meta.glob<string>('../../assets/symbols/?{,?}.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

export function useSymbolName(symbol: SymbolCode): string {
  return symbolName(symbol, useUi());
}

/** `isNamed`: the picture alone tells which symbol it is, so that it needs a name. */
export function SymbolArt({ symbol, isNamed = false }: { symbol: SymbolCode; isNamed?: boolean }) {
  const name = useSymbolName(symbol);
  const source = ART[`../../assets/symbols/${symbol}.svg`];
  return <img class="symbolArt" src={source} alt={isNamed ? name : ''} width="256" height="256" draggable={false} />;
}
