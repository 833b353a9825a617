import { computed, signal } from '@preact/signals';
import type { Draws } from '@roundhouse/contract';
import {
  type CurrencyCode,
  currencyFacts,
  DEFAULT_JURISDICTION,
  DEFAULT_LANGUAGE,
  type Device,
  isJurisdictionNumber,
  isLanguage,
  type Jurisdiction,
  type JurisdictionCount,
  type JurisdictionDuration,
  type Language,
  mapJurisdiction,
} from '@roundhouse/contract/light';
import type { AccountModel, KeptValues } from '../account/account.ts';
import type { Api, Failure, LaunchedSession, LaunchRequest, LobbyGame } from '../api.ts';

export type OpenGame = {
  readonly game: LobbyGame;
  readonly session: LaunchedSession;
  readonly request: LaunchRequest;
  /** How often the page of the game was loaded. */
  readonly load: number;
  /** The frame shows this book and not the session. */
  readonly replay?: { readonly mode: string; readonly bookID: number } | undefined;
};

export type LauncherModel = ReturnType<typeof createLauncherModel>;

type Deps = { api: Api; kept: KeptValues; account: AccountModel; device: Device };

/** Keeps the options for opening a game, and the open game. */
export function createLauncherModel({ api, kept, account, device }: Deps) {
  const choices = signal<PlayChoices>(readChoices(kept.read('choices'), device));
  const open = signal<OpenGame | undefined>(undefined);
  /** The id of the game that is being opened. */
  const opening = signal<string | undefined>(undefined);
  /** Whether the open game takes the width of the page. */
  const isTheatre = signal(kept.read('theatre') === true);
  const failure = signal<{ game: LobbyGame; failure: Failure } | undefined>(undefined);
  /** Whether the options are unfolded. */
  const hasOptions = signal(kept.read('options') === true);

  function requestFor(game: LobbyGame): LaunchRequest | undefined {
    if (account.playerID.value === undefined || !isCountryValid(choices.value.country)) return undefined;
    const player = { playerID: account.playerID.value, currency: account.currency.value };
    return launchRequestOf(choices.value, { ...player, gameID: game.gameID });
  }

  /** Waits for the account: a player may press Play before it is there. */
  async function openGame(game: LobbyGame): Promise<void> {
    if (opening.value !== undefined) return;
    opening.value = game.gameID;
    while (account.pending.value) await account.pending.value;
    const request = requestFor(game);
    const result = request && (await api.launch(request));
    opening.value = undefined;
    if (!result) return;
    failure.value = result.ok ? undefined : { game, failure: result.failure };
    if (!result.ok) return;
    open.value = { game, session: result.value, request, load: (open.value?.load ?? 0) + 1 };
    kept.write('openGame', game.gameID);
  }

  return {
    choices,
    open,
    opening,
    isTheatre,
    hasOptions,
    failure,
    /** Whether lobby and games avoid the words and signs of money. */
    isSocial: computed(() => {
      const { social, jurisdiction } = choices.value;
      return social || jurisdiction.socialCasino || currencyFacts(account.currency.value).kind === 'social';
    }),
    canOpen: computed(() => {
      const hasPlayer = account.playerID.value !== undefined || account.pending.value !== undefined;
      return hasPlayer && isCountryValid(choices.value.country);
    }),
    /** Whether the choices have changed since the game was opened. */
    isOutdated: computed(() => {
      const request = open.value && requestFor(open.value.game);
      return request !== undefined && JSON.stringify(request) !== JSON.stringify(open.value?.request);
    }),
    choose(change: Partial<PlayChoices>): void {
      choices.value = { ...choices.value, ...change };
      kept.write('choices', choices.value);
    },
    openGame,
    /** Opens the game again, in a new session. */
    restart: (): Promise<void> => (open.value ? openGame(open.value.game) : Promise.resolve()),
    /** Loads the page of the game again, in the same session; also after a replay. */
    reload(): void {
      if (open.value) open.value = { ...open.value, replay: undefined, load: open.value.load + 1 };
    },
    /** Shows a book in the frame. No money moves. */
    replay(mode: string, bookID: number): void {
      if (open.value) open.value = { ...open.value, replay: { mode, bookID }, load: open.value.load + 1 };
    },
    setTheatre(isOn: boolean): void {
      isTheatre.value = isOn;
      kept.write('theatre', isOn);
    },
    unfoldOptions(isOpen: boolean): void {
      if (isOpen === hasOptions.value) return;
      hasOptions.value = isOpen;
      kept.write('options', isOpen);
    },
    close(): void {
      open.value = undefined;
      kept.write('openGame', null);
    },
    /** Opens the game that was open when you left the page. */
    async reopen(games: readonly LobbyGame[]): Promise<void> {
      const last = games.find(({ gameID }) => gameID === kept.read('openGame'));
      if (last) await openGame(last);
    },
  };
}

/** How rounds of the game are drawn: the launch decides, then the server's list of games. */
export function drawsOf({ draws }: Pick<LobbyGame, 'draws'>, launch: Pick<LaunchRequest, 'draws'>): Draws {
  return launch.draws ?? draws;
}

/** Returns the address of what the frame shows: the session, or a book of the game without one. */
export function frameUrlOf({ game, session, replay }: OpenGame): string {
  if (replay === undefined) return session.url;
  const url = new URL(session.url);
  url.searchParams.delete('sessionID');
  const { mode, bookID } = replay;
  const parameters = { replay: true, game: game.gameID, version: game.version, mode, event: bookID };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url.href;
}

/**
 * Returns the address that opens the game for fun, without a session and without the player's
 * account. If the server has fun mode off, the game says so.
 */
export function funUrlOf(
  { gameID, version }: LobbyGame,
  { rgsUrl, currency, choices }: { rgsUrl: string; currency: CurrencyCode; choices: PlayChoices },
): string {
  const path = [gameID, version, 'index.html'].map(encodeURIComponent).join('/');
  const { language, device, social } = choices;
  const parameters = { demo: true, lang: language, device, rgs_url: rgsUrl, currency, ...(social && { social }) };
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
  return `${rgsUrl}/${path}?${new URLSearchParams(texts)}`;
}

/** Holds the choices for opening a game. `country` is as typed. */
export type PlayChoices = {
  readonly language: Language;
  readonly device: Device;
  readonly social: boolean;
  /** Asks for provably fair draws. Without it the server decides. */
  readonly isFair: boolean;
  readonly country: string;
  readonly jurisdiction: Readonly<Jurisdiction>;
};

export const DEFAULT_CHOICES: PlayChoices = {
  language: DEFAULT_LANGUAGE,
  device: 'desktop',
  social: false,
  isFair: false,
  country: '',
  jurisdiction: DEFAULT_JURISDICTION,
};

/** Presets to try the rules of some licences. They are not legal advice. */
export const PRESETS = {
  none: {},
  britain: {
    disabledTurbo: true,
    disabledSuperTurbo: true,
    disabledAutoplay: true,
    disabledSlamstop: true,
    disabledBuyFeature: true,
    displayNetPosition: true,
    displaySessionTimer: true,
    minimumRoundDuration: 2_500,
    realityCheckInterval: 3_600_000,
  },
  malta: {
    displayRTP: true,
    displaySessionTimer: true,
    realityCheckInterval: 3_600_000,
    requireAutoplayLossLimit: true,
  },
} as const satisfies Record<string, Partial<Jurisdiction>>;

export type Preset = keyof typeof PRESETS;

/** Returns the preset with exactly these rules, if any. */
export function presetOf(jurisdiction: Readonly<Jurisdiction>): Preset | undefined {
  const names = Object.keys(PRESETS) as Preset[];
  const textOf = (demands: Partial<Jurisdiction>) => JSON.stringify(Object.entries(demands).sort());
  return names.find((name) => textOf(PRESETS[name]) === textOf(demandsOf(jurisdiction)));
}

/** Returns whether the country is empty or a code of two letters. */
export function isCountryValid(country: string): boolean {
  return country === '' || /^[A-Za-z]{2}$/.test(country);
}

/**
 * Returns the flags that are on, and a duration above zero. The operator's own rules decide the
 * rest.
 */
export function demandsOf(jurisdiction: Readonly<Jurisdiction>): Partial<Jurisdiction> {
  return Object.fromEntries(Object.entries(jurisdiction).filter(([, value]) => value !== false && value !== 0));
}

/** Returns the launch with these choices. */
export function launchRequestOf(
  { language, device, social, isFair, country, jurisdiction }: PlayChoices,
  opening: { playerID: string; gameID: string; currency: CurrencyCode },
): LaunchRequest {
  const demands = demandsOf(jurisdiction);
  return {
    ...opening,
    lang: language,
    device,
    ...(social && { social }),
    ...(isFair && { draws: 'provablyFair' }),
    ...(country !== '' && { country: country.toUpperCase() }),
    ...(Object.keys(demands).length > 0 && { jurisdiction: demands }),
  };
}

/**
 * Reads the choices of an earlier visit. A value that is missing or not valid becomes the default.
 * @param held the device that the player holds, which is the default
 */
export function readChoices(kept: unknown, held: Device): PlayChoices {
  const { language, device, social, isFair, country, jurisdiction } = recordOf(kept);
  const demands = recordOf(jurisdiction);
  return {
    language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
    device: device === 'mobile' || device === 'desktop' ? device : held,
    social: social === true,
    isFair: isFair === true,
    country: typeof country === 'string' && isCountryValid(country) ? country : '',
    jurisdiction: mapJurisdiction({
      flag: (name) => demands[name] === true,
      duration: (name) => numberOf(name, demands[name]),
      count: (name) => numberOf(name, demands[name]),
    }),
  };
}

/** Returns the milliseconds or rounds; 0 when the value is not valid for this field. */
export function numberOf(name: JurisdictionDuration | JurisdictionCount, value: unknown): number {
  return isJurisdictionNumber(name, value) ? value : 0;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
