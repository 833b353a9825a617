/** A question has these words, and they say nothing about the page. */
const IDLE_WORDS = new Set(
  (
    'a about an and any are as at be by can could did do does for from get has have how i if in is it its make ' +
    'many me much my need of on or our should than that the their there they this to was we what when where ' +
    'which who why will with would you your'
  ).split(' '),
);

/** What readers may ask for, and the words that the pages have. */
const PAGE_WORDS = new Map(
  Object.entries({
    aggregator: ['dialects'],
    bonus: ['free'],
    certificate: ['lab'],
    certified: ['certificate', 'lab'],
    cost: ['costs'],
    delete: ['erase', 'personal'],
    fast: ['performance'],
    gdpr: ['personal'],
    hardware: ['costs', 'machines'],
    install: ['command'],
    licence: ['jurisdictions'],
    license: ['jurisdictions'],
    monitoring: ['metrics'],
    price: ['costs'],
    privacy: ['personal'],
    refund: ['void'],
    retry: ['parked'],
    rigged: ['check', 'rounds'],
    server: ['machines'],
    servers: ['machines'],
    slow: ['performance'],
    speed: ['performance'],
    spin: ['round'],
    spins: ['rounds'],
    sso: ['sign-on'],
    timeout: ['time-outs'],
    uk: ['britain'],
  }),
);

/** Guides come first, with 1; tables of requirements name everything. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^\/docs\/compliance\/(gli-19|agco|ukgc-rts)$/, 0.2],
  [/^\/docs\/(sdk|dialects)\/./, 0.3],
  [/^\/docs\/decisions\//, 0.4],
  [/^\/docs\/(contributing|testing|fuzz|performance|)$/, 0.5],
  [/^\/docs\/compliance\/./, 0.6],
];
const WEIGHT_OF_FIRST_SECTION = 1.5;

/** The options of a search in the site's index, which MiniSearch makes of each section. */
export const searchOptions = {
  boost: { title: 4, titles: 2, text: 1 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length > 5 ? 0.2 : false),
  processTerm(term: string): string[] {
    const word = term.toLowerCase();
    return IDLE_WORDS.has(word) ? [] : [word, ...(PAGE_WORDS.get(word) ?? [])];
  },
  boostDocument(section: string, _term: string, stored?: Record<string, unknown>): number {
    const [page = ''] = section.split('#');
    const [, weight = 1] = WEIGHTS.find(([kind]) => kind.test(page)) ?? [];
    const isFirst = Array.isArray(stored?.titles) && stored.titles.length === 0;
    return isFirst ? weight * WEIGHT_OF_FIRST_SECTION : weight;
  },
};
