/** What the account menu shows. */
export type MenuAccount = { email: string; role: string; operator: string | null };
