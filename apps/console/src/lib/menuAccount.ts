/** Is what the menu of the account shows. */
export type MenuAccount = { email: string; role: string; operator: string | null };
