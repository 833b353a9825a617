import type { UserTie } from '../../../store/staff/userTies.ts';

/**
 * Returns whether two users, by their emails, may be one person. A user who has added another user,
 * or has made a link for one, can sign in as that user. So a user counts as the person who did it,
 * and as the person who did it to that one.
 */
export function mayBeOnePerson(ties: readonly UserTie[], [one, other]: readonly [string, string]): boolean {
  const behindOne = personsBehind(ties, one);
  return [...personsBehind(ties, other)].some((person) => behindOne.has(person));
}

function personsBehind(ties: readonly UserTie[], user: string): Set<string> {
  const persons = new Set([user]);
  // The loop also visits the persons that are added while it runs.
  for (const person of persons) {
    for (const tie of ties) if (tie.user === person) persons.add(tie.by);
  }
  return persons;
}
