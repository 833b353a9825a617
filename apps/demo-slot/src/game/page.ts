/** The keys that the game knows, whatever the keyboard's layout. */
export type GameKey = 'spin' | 'raiseBet' | 'lowerBet' | 'mute';

/** What the game asks of the page around it. Each `on…` answers the function that ends the listening. */
export type Page = {
  /** What was kept under this name; undefined when nothing was, or the browser keeps nothing. */
  recall(name: string): string | undefined;
  keep(name: string, value: string): void;
  readonly canFullscreen: boolean;
  isFullscreen(): boolean;
  toggleFullscreen(): void;
  onFullscreen(listener: () => void): () => void;
  isOnline(): boolean;
  onOnline(listener: (online: boolean) => void): () => void;
  /** A spin comes once for each press, however long the key is held. The listener says whether the game has used it. */
  onKey(listener: (key: GameKey) => boolean): () => void;
  reload(): void;
};
