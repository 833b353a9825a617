import { CURRENCY_CODES, LANGUAGES, type Language } from '@roundhouse/contract/light';
import type { LobbyFacts } from '../src/api/apiTypes.ts';

/** A house with games of every sort that the page tells apart. */
export const FAKE_FACTS: LobbyFacts = {
  operator: { name: 'Turntable House', code: 'reference' },
  games: [
    {
      gameID: 'aurora-line',
      version: '1.0.0',
      title: 'Aurora Line',
      currencies: [...CURRENCY_CODES],
      modes: ['BASE', 'BONUS', 'SUPER'],
      hasFrontend: true,
    },
    {
      gameID: 'sample-lines',
      version: 'a41f09c2',
      title: 'Sample Lines',
      currencies: [...CURRENCY_CODES],
      modes: ['BASE', 'BONUS'],
      hasFrontend: false,
    },
    {
      gameID: 'harbour-lights',
      version: '2.3.1',
      title: 'Harbour Lights',
      currencies: ['USD', 'EUR'],
      modes: ['BASE'],
      hasFrontend: true,
    },
  ],
  currencies: [...CURRENCY_CODES],
  languages: Object.keys(LANGUAGES) as Language[],
  bench: true,
  rgsUrl: 'http://127.0.0.1:3000',
};
