/** Decides whether an answer to balance is news: it is not when a newer answer has told the balance, or may be about to. */
export type BalanceOrder = {
  /** A call starts that only reads the balance. Answers whether its answer may still be believed, to be asked when it is there. */
  reads(): () => boolean;
  /** A call that changes or tells the balance starts or ends. */
  changes(): void;
};

export function createBalanceOrder(): BalanceOrder {
  let clock = 0;
  let newest = 0;
  return {
    reads() {
      clock += 1;
      const mine = clock;
      return () => {
        if (mine < newest) return false;
        newest = mine;
        return true;
      };
    },
    changes() {
      clock += 1;
      newest = clock;
    },
  };
}
