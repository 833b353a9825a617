/**
 * The steps of a movement, by name: a process may die at each of them, and tests make it. written: committed, and not sent yet.
 * answered: the answer is there, and not written down yet. settled: written down, and nobody has been told.
 */
export type WalletPoint = `${'debit' | 'credit' | 'rollback'}_${'written' | 'answered' | 'settled'}`;

/** Told of each step as it is reached. */
export type Reached = (point: WalletPoint) => void;
