import { readFileSync } from 'node:fs';
import { StartError } from '@roundhouse/service';
import { reasonOf } from '../../base/reason.ts';
import type { OidcOptions } from '../../staff/access/accessOptions.ts';
import { parseBaseUrl } from './options.ts';

const DISCOVERY = 'ROUNDHOUSE_OIDC_DISCOVERY_URL';
const SECRET = 'ROUNDHOUSE_OIDC_CLIENT_SECRET';

/**
 * Reads the single sign-on of the console; undefined without a discovery URL. There are no options
 * for it: every user of a machine can read the command lines of its processes.
 * @throws StartError when a part is missing.
 */
export function oidcOfEnvironment(environment: NodeJS.ProcessEnv = process.env): OidcOptions | undefined {
  const { [DISCOVERY]: discoveryUrl, ROUNDHOUSE_OIDC_CLIENT_ID: clientID, ROUNDHOUSE_OIDC_NAME: name } = environment;
  if (discoveryUrl === undefined) return undefined;
  const clientSecret = environment[SECRET] ?? secretOfFile(environment[`${SECRET}_FILE`]);
  if (clientID === undefined) throw new StartError(`${DISCOVERY} needs ROUNDHOUSE_OIDC_CLIENT_ID.`);
  if (clientSecret === undefined) throw new StartError(`${DISCOVERY} needs ${SECRET}_FILE or ${SECRET}.`);
  const only = environment.ROUNDHOUSE_OIDC_ONLY ?? '0';
  if (only !== '0' && only !== '1') throw new StartError('ROUNDHOUSE_OIDC_ONLY is 1 or 0.');
  return {
    discoveryUrl: discoveryOf(discoveryUrl),
    clientID,
    clientSecret,
    name: name ?? 'Single sign-on',
    isOnly: only === '1',
  };
}

function discoveryOf(text: string): string {
  try {
    return parseBaseUrl(text);
  } catch {
    throw new StartError(`${DISCOVERY} is no address: https://…/.well-known/openid-configuration.`);
  }
}

function secretOfFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`${SECRET}_FILE cannot be read: ${reasonOf(error)}.`);
  }
}
