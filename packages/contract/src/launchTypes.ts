import type { CurrencyCode } from './currencies.ts';
import type { Device } from './devices.ts';
import type { Language } from './languages.ts';
import type { Micros } from './money.ts';

/** What every launch URL carries besides its purpose. */
export type LaunchSettings = {
  /**
   * Address of the RGS: a full URL or a bare host (see `resolveRgsUrl`). It is written into the URL as given, since some front
   * ends put `https://` before it themselves and so need the bare host; parsing resolves it.
   */
  rgsUrl: string;
  language: Language;
  device: Device;
  currency?: CurrencyCode;
  /** Social casino mode. */
  social?: boolean;
  /** Play for fun. */
  demo?: boolean;
  /** Where the game leads back to: an http or https URL. */
  returnURL?: string;
};

/** A launch URL for play (interface document, section 1 "Game launch URL"). */
export type LaunchParams = LaunchSettings & {
  /** Where the front ends are: a full URL or a bare host, with a path or not. */
  gameHost: string;
  gameID: string;
  gameVersion: string;
  /** 1 to 256 characters. */
  sessionID: string;
};

/** A launch URL that shows a published book again, without a session. */
export type ReplayParams = LaunchSettings & {
  /** Where the front ends are: a full URL or a bare host, with a path or not. */
  gameHost: string;
  /** Game id. */
  game: string;
  /** Game version. */
  version: string;
  /** Bet mode. */
  mode: string;
  /** Id of the book. */
  event: string;
  /** Base bet to show, above zero. */
  amount: Micros;
};

/** What is wrong with a launch URL, in the order in which it is looked for. */
export type LaunchFault =
  | 'not-a-url'
  | 'missing-rgs-url'
  | 'bad-rgs-url'
  | 'missing-session'
  | 'bad-session'
  | 'missing-replay-parameter'
  | 'bad-replay-amount';

/** The faults in words that a player may be shown. */
export const LAUNCH_FAULT_MESSAGES: Readonly<Record<LaunchFault, string>> = {
  'not-a-url': 'The address of this game is not a web address.',
  'missing-rgs-url': 'The launch link does not say which server to play on (rgs_url).',
  'bad-rgs-url': 'The launch link names a server address that cannot be used (rgs_url).',
  'missing-session': 'The launch link has no session (sessionID). Please open the game from the lobby again.',
  'bad-session': 'The session in the launch link is too long (sessionID). Please open the game from the lobby again.',
  'missing-replay-parameter': 'The replay link is incomplete: it needs game, version, mode and event.',
  'bad-replay-amount': 'The replay link has an amount that is not a whole number of micros above zero.',
};

/** Where the page itself lies. Left out when its address is not `{game_host}/<game_id>/<game_version>/index.html`, as with a local preview. */
export type LaunchPlace = { gameHost?: string; gameID?: string; gameVersion?: string };

export type LaunchPlay = { kind: 'play'; sessionID: string } & LaunchSettings & LaunchPlace;
export type LaunchReplay = { kind: 'replay'; gameHost?: string } & Omit<ReplayParams, 'gameHost'>;

/** What a launch URL says. `rgsUrl` is resolved: a path can follow it. */
export type Launch = LaunchPlay | LaunchReplay | { kind: 'fault'; fault: LaunchFault };
