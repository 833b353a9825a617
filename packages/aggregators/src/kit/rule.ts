import { CheckFailure, type Endpoint, NotTestable, type Rule } from './check.ts';

/** One rule of a list. The sentence says what a right wallet does. */
export function rule<Settings>(id: string, sentence: string, run: Rule<Settings>['run']): Rule<Settings> {
  return { id, rule: sentence, run };
}

/** @throws CheckFailure when it does not hold. */
export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new CheckFailure(otherwise);
}

/**
 * Returns the members of a response.
 * @throws CheckFailure when it is not JSON.
 */
export function membersOf(body: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(body) };
  } catch {
    throw new CheckFailure('the response is no JSON');
  }
}

/** @throws NotTestable when the test system has none. */
export function expiredTokenOf({ facts: { expiredToken } }: Endpoint, name = 'token'): string {
  if (expiredToken === undefined) throw new NotTestable(`there is no expired ${name}`);
  return expiredToken;
}
