/** Tries to sign in with a password count by the email, whoever makes them. */
export const signInsOf = (email: string) => `email:${email}`;

/** Passwords that are typed within sessions of a user count apart. */
export const sessionsOf = (userID: string) => `sessions of ${userID}`;

/** Returns all accounts by which the tries of a user are counted; codes count by the user's id. */
export function accountsOfTries({ email, userID }: { email: string; userID: string }): string[] {
  return [signInsOf(email), sessionsOf(userID), userID];
}

/** An event keeps this number of characters of what somebody typed. */
const TYPED_CHARACTERS = 64;

/** The event of a failed try has this subject. */
export function typedSubjectOf(email: string): string {
  return `user ${email.slice(0, TYPED_CHARACTERS)}`;
}

/** Returns the subjects of all events of a user's sign-ins. */
export function subjectsOf(email: string): string[] {
  return [...new Set([`user ${email}`, typedSubjectOf(email)])];
}
