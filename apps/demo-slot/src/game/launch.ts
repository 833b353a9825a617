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

/** What the launch link says about how to show the game. */
export type LaunchFacts = {
  readonly language: Language;
  readonly device: Device;
  readonly currency: CurrencyCode | undefined;
  readonly social: boolean;
  readonly isReplay: boolean;
};

export type OpenedLaunch = LaunchFacts & {
  /** Undefined when the link cannot be used; the game then says so in the language that the link asks for. */
  readonly client: Client | undefined;
};

/** Reads the launch link. A faulty one is still read for the language in which the player is told. */
export function openLaunch(options: ClientOptions): OpenedLaunch {
  const launch = parseLaunchUrl(options.url);
  if (launch.kind !== 'fault') return { ...factsOf(launch), client: createClient(options) };
  const mended = parseLaunchUrl(mendedLink(options.url));
  if (mended.kind === 'fault') throw new Error(`a mended launch link has a fault: ${mended.fault}`);
  return { ...factsOf(mended), client: undefined };
}

function factsOf(launch: LaunchPlay | LaunchReplay): LaunchFacts {
  const { language, device, currency, social = false, kind } = launch;
  return { language, device, currency, social, isReplay: kind === 'replay' };
}

/** The same link with everything that could be at fault put right: good for its language, and for nothing else. */
function mendedLink(url: string): string {
  const query = new URLSearchParams(url.split('?')[1]?.split('#')[0]);
  query.set('rgs_url', 'localhost');
  query.set('sessionID', 'none');
  query.delete('replay');
  return `https://localhost/?${query}`;
}
