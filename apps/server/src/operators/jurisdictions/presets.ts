import type { PartialJurisdiction } from '@roundhouse/contract';
import { MS_PER_MINUTE } from '../../base/durations.ts';

/** The day on which the values were compared with their sources. */
export const COMPARED_ON = '2026-11-23';

/**
 * primary: we read the rule in the words of the law or the regulator. secondary: we read it in
 * somebody else's account.
 */
type SourceKind = 'primary' | 'secondary';

/** `dated` is the day on which the rule took effect, or else the day of publication. */
type Source = { readonly title: string; readonly url?: string; readonly dated: string; readonly kind: SourceKind };

const SOURCES = {
  ukRts14: {
    title: 'Gambling Commission, remote technical standards, RTS 14',
    url: 'https://www.gamblingcommission.gov.uk/standards/remote-gambling-and-software-technical-standards/rts-14-responsible-product-design',
    dated: '2021-10-31',
    kind: 'primary',
  },
  ukChanges: {
    title: 'Gambling Commission, online games design, annex 1: changes to the RTS',
    url: 'https://www.gamblingcommission.gov.uk/consultation-response/online-games-design-and-reverse-withdrawals/ogdrw-annex-1-summary-of-changes-to-rts',
    dated: '2021-10-31',
    kind: 'primary',
  },
  ukFeatures: {
    title: 'Gambling Commission, games warning for online operators',
    url: 'https://www.gamblingcommission.gov.uk/news-action-and-statistics/news/2020/Games-warning-for-online-operators.aspx',
    dated: '2020-01-17',
    kind: 'primary',
  },
  ukAutoplay: {
    title: 'Gambling Commission, remote technical standards, RTS 8',
    url: 'https://www.gamblingcommission.gov.uk/manual/remote-gambling-and-software-technical-standards/rts-8-autoplay-functionality',
    dated: '2025-01-17',
    kind: 'primary',
  },
  ukStake: {
    title: 'Statutory Instrument 2025/215',
    url: 'https://www.legislation.gov.uk/uksi/2025/215/made',
    dated: '2025-04-09',
    kind: 'primary',
  },
  ukRts13: {
    title: 'Account of the remote technical standards',
    url: 'https://gamingcompliance.io/ukgc/remote-technical-standards',
    dated: '2026-11-22',
    kind: 'secondary',
  },
  ontario: {
    title: "Account of the AGCO Registrar's Standards for Internet Gaming",
    url: 'https://www.canadiangamingbusiness.com/?p=11226',
    dated: '2022-04-04',
    kind: 'secondary',
  },
  germanLaw: {
    title: 'Glücksspielstaatsvertrag 2021',
    url: 'https://www.gesetze-bayern.de/Content/Document/StVGlueStV2021-22a',
    dated: '2021-07-01',
    kind: 'primary',
  },
  germany: {
    title: 'Account of the Glücksspielstaatsvertrag 2021',
    url: 'https://www.legale-online-casinos.de/blog/gluecksspielstaatsvertrag/',
    dated: '2021-07-01',
    kind: 'secondary',
  },
  swedenRounds: { title: 'Account of LIFS 2018:8, since 2023 SIFS 2022:3', dated: '2019-01-01', kind: 'secondary' },
  swedenAutoplay: {
    title: 'Account of rules that Spelinspektionen announced in 2022',
    url: 'https://focusgn.com/sweden-to-ban-autoplay-and-reverse-withdrawals',
    dated: '2022-10-05',
    kind: 'secondary',
  },
  swedenDraft: { title: 'Account of draft rules of Spelinspektionen', dated: '2026-06-01', kind: 'secondary' },
  netherlands: {
    title: 'Account of the Regeling kansspelen op afstand',
    url: 'https://www.officielebekendmakingen.nl/stcrt-2021-4507.html',
    dated: '2021-01-21',
    kind: 'secondary',
  },
  spainRounds: { title: 'Account of the rules of the DGOJ for slots', dated: '2014-10-06', kind: 'secondary' },
  spainMessages: {
    title: 'Account of Real Decreto 176/2023',
    url: 'https://sumitme.com/nuevas-medidas-para-un-entorno-de-juego-seguro-lo-que-debes-saber',
    dated: '2024-03-15',
    kind: 'secondary',
  },
  italy: { title: 'Account of the technical rules of the ADM', dated: '2025-04-07', kind: 'secondary' },
  malta: {
    title: 'MGA, amendment of the Player Protection Directive (Directive 2 of 2018)',
    url: 'https://www.mga.org.mt/the-mga-streamlines-the-return-to-player-percentage-applicable-to-both-remote-and-land-based-sectors/',
    dated: '2021-05-31',
    kind: 'primary',
  },
  brazilRtp: {
    title: 'Account of Portaria SPA/MF 1.207/2024, annex I',
    url: 'https://www.mattosfilho.com.br/unico/ministerio-fazenda-portarias-apostas/',
    dated: '2024-07-31',
    kind: 'secondary',
  },
  brazilInactivity: {
    title: 'Account of Portaria SPA/MF 1.207/2024',
    url: 'https://starspay.com/pt/secretaria-de-premios-e-apostas-publica-portaria-definindo-regras-para-jogos-de-apostas-online',
    dated: '2024-07-31',
    kind: 'secondary',
  },
  newJersey: {
    title: 'New Jersey Administrative Code, 13:69E-1.28A',
    url: 'https://www.law.cornell.edu/regulations/new-jersey/N-J-A-C-13-69E-1-28A',
    dated: '2024-05-06',
    kind: 'primary',
  },
} as const satisfies Record<string, Source>;

type SourceName = keyof typeof SOURCES;
type Field = keyof PartialJurisdiction;
/** `rule` names the clause in its source. */
type Rule<Value> = { readonly value: Value; readonly source: SourceName; readonly rule: string };
type Rules = { readonly [Name in Field]?: Rule<NonNullable<PartialJurisdiction[Name]>> };

type Preset = {
  readonly place: string;
  readonly rules: Rules;
  /** What the place demands of the operator beside the values. */
  readonly notes: readonly string[];
};

const UNIT = 1_000_000;

const on = (source: SourceName, rule: string): Rule<boolean> => ({ value: true, source, rule });
const is = <Value>(value: Value, source: SourceName, rule: string): Rule<Value> => ({ value, source, rule });

const PRESETS = {
  uk: {
    place: 'Great Britain',
    rules: {
      disabledTurbo: on('ukRts14', 'RTS 14E'),
      disabledSuperTurbo: on('ukRts14', 'RTS 14E'),
      disabledSlamstop: on('ukRts14', 'RTS 14E'),
      disabledAutoplay: on('ukAutoplay', 'RTS 8A'),
      disabledBuyFeature: on('ukFeatures', 'RTS 3A, 14A'),
      displayNetPosition: on('ukChanges', 'RTS 2E'),
      displaySessionTimer: on('ukChanges', 'RTS 13C'),
      minimumRoundDuration: is(2_500, 'ukRts14', 'RTS 14D'),
      realityCheckInterval: is(60 * MS_PER_MINUTE, 'ukRts13', 'RTS 13B'),
      disabledLossCelebration: on('ukRts14', 'RTS 14F'),
      requireStartRelease: on('ukRts14', 'RTS 14D'),
      singleInstance: on('ukRts14', 'RTS 14C'),
      maxStake: is({ GBP: 5 * UNIT }, 'ukStake', 'reg. 5'),
    },
    notes: [
      'The maximum stake is 5 pounds, or 2 for a player under 25: the operator sends those 2 as `maxStake` of each session.',
      'The player chooses the interval of the reality check (RTS 13B), which the operator sends with each session. 60 minutes is our default without a choice.',
    ],
  },
  ontario: {
    place: 'Ontario',
    rules: {
      disabledTurbo: on('ontario', 'standard 2.19'),
      disabledSuperTurbo: on('ontario', 'standard 2.19'),
      disabledSlamstop: on('ontario', 'standard 2.19'),
      disabledAutoplay: on('ontario', 'standard 2.16'),
      displayNetPosition: on('ontario', 'standard 2.21'),
      displaySessionTimer: on('ontario', 'standard 2.22'),
      minimumRoundDuration: is(2_500, 'ontario', 'standard 2.18'),
      disabledLossCelebration: on('ontario', 'standard 2.20'),
      requireStartRelease: on('ontario', 'standards 2.16, 2.18'),
      singleInstance: on('ontario', 'standard 2.17'),
    },
    notes: [
      'Standard 4.30 demands a time-out but does not give its length: the operator sets `--session-timeout`.',
      'Amounts are in Canadian dollars (2.21): the operator launches in CAD.',
      'The date is the day on which the market opened, according to the AGCO.',
    ],
  },
  germany: {
    place: 'Germany',
    rules: {
      disabledAutoplay: on('germanLaw', '§ 22a (4)'),
      requireStartRelease: on('germanLaw', '§ 22a (4)'),
      displayRTP: on('germanLaw', '§ 22a (3)'),
      minimumRoundDuration: is(5_000, 'germany', '§ 22a (6)'),
      realityCheckInterval: is(60 * MS_PER_MINUTE, 'germany', '§ 22a'),
      singleInstance: on('germany', '§ 22a'),
      maxStake: is({ EUR: UNIT }, 'germany', '§ 22a (7)'),
    },
    notes: [
      'The law requires 5 seconds on average, the preset in each round.',
      'Since 2026-07-01 some players may stake 3 or 5 euros, according to a secondary source. The lowest stake counts, so an operator that uses this overrides `maxStake` and sends 1 euro with the sessions of all other players.',
      'After the 60-minute notice the player waits 5 minutes, and jackpots are forbidden: the operator must ensure both.',
    ],
  },
  sweden: {
    place: 'Sweden',
    rules: {
      minimumRoundDuration: is(3_000, 'swedenRounds', 'rounds last 3 seconds, also in autoplay'),
      disabledAutoplay: on('swedenAutoplay', 'autoplay'),
      maximumAutoplayRounds: is(60, 'swedenDraft', 'at most 60 rounds'),
    },
    notes: [
      'In 2022 the regulator announced a ban on autoplay. Another source says that the ban never took effect and that a draft of June 2026 allows 60 rounds. The preset forbids autoplay; its 60 rounds are for an operator that allows it.',
      'The rules announced in 2022 also demand to prompt or log out a player who does nothing for two minutes: the operator must ensure this.',
    ],
  },
  netherlands: {
    place: 'Netherlands',
    rules: { disabledAutoplay: on('netherlands', 'art. 3.8') },
    notes: [
      'Bought features that play automatically count as autoplay, according to a secondary source: ask the regulator.',
    ],
  },
  spain: {
    place: 'Spain',
    rules: {
      minimumRoundDuration: is(3_000, 'spainRounds', 'rounds last 3 seconds'),
      realityCheckInterval: is(60 * MS_PER_MINUTE, 'spainMessages', 'message each 60 minutes'),
    },
    notes: [
      'Before a session the player sets its time and what it may cost, at which it ends (Real Decreto 176/2023): the operator must ensure this.',
      'Real Decreto 176/2023 took effect on 2023-09-15. According to a secondary source, these rules followed a year after its publication.',
    ],
  },
  italy: {
    place: 'Italy',
    rules: {
      minimumRTP: is(90, 'italy', 'return of at least 90 %'),
      idleTimeout: is(20 * MS_PER_MINUTE, 'italy', 'logout after 20 minutes'),
    },
    notes: [],
  },
  malta: {
    place: 'Malta',
    rules: { minimumRTP: is(85, 'malta', 'art. 22') },
    notes: ["The regulator's notice is from May 2021. Before it, internet games had to return 92 %."],
  },
  brazil: {
    place: 'Brazil',
    rules: {
      minimumRTP: is(85, 'brazilRtp', 'RTP of 85 % over the life of a game'),
      idleTimeout: is(30 * MS_PER_MINUTE, 'brazilInactivity', 'inactive after 30 minutes'),
    },
    notes: [
      'The odds of the top prize are 1 in 100 million or better, and each game is certified: no field checks it.',
    ],
  },
  'new-jersey': {
    place: 'New Jersey',
    rules: { minimumRTP: is(83, 'newJersey', '(a)') },
    notes: [
      'A session belongs to one device (13:69O-1.4 (e)): the operator must ensure this.',
      'No play has odds beyond 1 in 100 million (13:69E-1.28A (c)): no field checks it.',
      'Both rules are written for slot machines; that they apply to internet games comes from secondary accounts. The date is that of a copy of the Code with the same text.',
    ],
  },
} as const satisfies Record<string, Preset>;

/** This preset has the strictest value of each field of all other presets. */
const STRICTEST = 'strictest';

type Place = keyof typeof PRESETS;
export type PresetName = Place | typeof STRICTEST;
const PLACES = Object.keys(PRESETS) as readonly Place[];
export const PRESET_NAMES: readonly PresetName[] = [...PLACES, STRICTEST];

/** A value has its source; a value of the strictest preset names the presets that it is from. */
type PresetValue = { readonly field: Field; readonly value: unknown } & (
  | { readonly rule: string; readonly source: Source }
  | { readonly from: readonly PresetName[] }
);
export type DescribedPreset = {
  readonly name: PresetName;
  readonly place: string;
  readonly values: readonly PresetValue[];
  readonly notes: readonly string[];
};

export function isPresetName(name: string): name is PresetName {
  return PRESET_NAMES.some((known) => known === name);
}

/** Returns the fields of the preset, for an operator or a session. */
export function presetJurisdiction(name: PresetName): PartialJurisdiction {
  if (name === STRICTEST) return strictestOf(PLACES.map(presetJurisdiction));
  return Object.fromEntries(rulesOf(name).map(([field, { value }]) => [field, value]));
}

/** Puts what was given over the preset. Both give the fields of `overridden` different values. */
export function applyPreset(
  name: PresetName,
  given: PartialJurisdiction,
): { jurisdiction: PartialJurisdiction; overridden: Field[] } {
  const preset = presetJurisdiction(name);
  const isOther = (field: Field) =>
    preset[field] !== undefined && JSON.stringify(preset[field]) !== JSON.stringify(given[field]);
  return {
    jurisdiction: { ...preset, ...given },
    overridden: (Object.keys(given) as Field[]).filter(isOther),
  };
}

export function describePreset(name: PresetName): DescribedPreset {
  if (name === STRICTEST) return describeStrictest();
  const values = rulesOf(name).map(([field, { value, rule, source }]) => ({
    field,
    value,
    rule,
    source: SOURCES[source],
  }));
  const { place, notes } = PRESETS[name];
  return { name, place, values, notes };
}

function describeStrictest(): DescribedPreset {
  const values = Object.entries(presetJurisdiction(STRICTEST)).map(([name, value]) => {
    const field = name as Field;
    // Each currency of a stake may come from another place.
    const isFrom = (place: PresetName) => {
      const own = presetJurisdiction(place)[field];
      return typeof own === 'object' || own === value;
    };
    return { field, value, from: PLACES.filter(isFrom) };
  });
  return { name: STRICTEST, place: 'the strictest value of each field', values, notes: [] };
}

function rulesOf(name: Place): [Field, Rule<unknown>][] {
  return Object.entries(PRESETS[name].rules) as [Field, Rule<unknown>][];
}

/** Returns the stricter one of two values. */
type Stricter<Value> = (one: Value, other: Value) => Value;

const either: Stricter<boolean> = (one, other) => one || other;
const highest: Stricter<number> = (one, other) => Math.max(one, other);
/** 0 means that there is no interval or limit. */
const lowestAboveZero: Stricter<number> = (one, other) => {
  if (one === 0 || other === 0) return one + other;
  return Math.min(one, other);
};
const lowestOfEachCurrency: Stricter<Record<string, number>> = (one, other) => {
  const lowest = { ...one };
  for (const [currency, stake] of Object.entries(other)) lowest[currency] = Math.min(stake, one[currency] ?? stake);
  return lowest;
};

/** A new field does not compile until its rule is here. */
const STRICTER: { readonly [Name in Field]-?: Stricter<NonNullable<PartialJurisdiction[Name]>> } = {
  socialCasino: either,
  disabledFullscreen: either,
  disabledTurbo: either,
  disabledSuperTurbo: either,
  disabledAutoplay: either,
  disabledSlamstop: either,
  disabledSpacebar: either,
  disabledBuyFeature: either,
  displayNetPosition: either,
  displayRTP: either,
  displaySessionTimer: either,
  minimumRoundDuration: highest,
  realityCheckInterval: lowestAboveZero,
  requireAutoplayLossLimit: either,
  idleTimeout: lowestAboveZero,
  singleInstance: either,
  disabledLossCelebration: either,
  requireStartRelease: either,
  maximumAutoplayRounds: lowestAboveZero,
  maxStake: lowestOfEachCurrency,
  minimumRTP: highest,
  completeRoundsAfterHours: lowestAboveZero,
};

/** Returns the strictest value of each field that any of them has. */
export function strictestOf(all: readonly PartialJurisdiction[]): PartialJurisdiction {
  const found = (Object.keys(STRICTER) as Field[]).flatMap((field) => {
    const values: unknown[] = all.map((each) => each[field]).filter((value) => value !== undefined);
    // Each field has one type of value, which its rule takes.
    const stricter = STRICTER[field] as unknown as Stricter<unknown>;
    return values.length === 0 ? [] : [[field, values.reduce(stricter)] as const];
  });
  return Object.fromEntries(found);
}
