import {
  type Client,
  type ClientOptions,
  type CurrencyCode,
  createClient,
  type Device,
  type Language,
  type LaunchPlay,
  type LaunchReplay,
  parseLaunchUrl,
} from '@roundhouse/sdk';
import { fairnessPart } from '@roundhouse/sdk/fairness';
import { funMode } from '@roundhouse/sdk/fun';

/** The operator's pages in the launch link: http or https URLs. */
type Pages = Pick<LaunchPlay, 'returnURL' | 'cashierURL' | 'historyURL' | 'responsibleGamblingURL'>;

/** How to show the game, from the launch link. */
export type LaunchSettings = {
  readonly language: Language;
  readonly device: Device;
  readonly currency: CurrencyCode | undefined;
  readonly social: boolean;
  readonly isReplay: boolean;
  /** The page keeps play money. There is no session, and no account of the player. */
  readonly isFunMode: boolean;
  readonly pages: Pages;
  /** The page of the server that checks provably fair draws. */
  readonly verifierURL: string;
};

export type OpenedLaunch = LaunchSettings & {
  /** Undefined if the link is invalid. The game then says so in the language of the link. */
  readonly client: Client | undefined;
};

/** Reads the launch link. An invalid one is still read for its language. */
export function openLaunch(options: ClientOptions): OpenedLaunch {
  const launch = parseLaunchUrl(options.url);
  if (launch.kind !== 'unusable') {
    return { ...settingsOf(launch), client: createClient({ funMode, fairness: fairnessPart, ...options }) };
  }
  const repaired = parseLaunchUrl(repairedLink(options.url));
  if (repaired.kind === 'unusable') throw new Error(`a repaired launch link has an issue: ${repaired.issue}`);
  return { ...settingsOf(repaired), client: undefined };
}

function settingsOf(launch: LaunchPlay | LaunchReplay): LaunchSettings {
  const { language, device, currency, social = false, kind } = launch;
  const isFunMode = launch.kind === 'play' && launch.sessionID === '';
  const { cashierURL, historyURL, ...pages } = launch;
  return {
    language,
    device,
    currency,
    social,
    isReplay: kind === 'replay',
    isFunMode,
    // Cashier and history are those of an account.
    pages: isFunMode ? pages : launch,
    verifierURL: `${launch.rgsUrl}/fairness/verifier`,
  };
}

/** Returns the same link with valid values for everything else: used for its language only. */
function repairedLink(url: string): string {
  const query = new URLSearchParams(url.split('?')[1]?.split('#')[0]);
  query.set('rgs_url', 'localhost');
  query.set('sessionID', 'none');
  query.delete('replay');
  return `https://localhost/?${query}`;
}
