/** The keys that the game knows, whatever the keyboard's layout. */
export type GameKey = 'spin' | 'raiseBet' | 'lowerBet' | 'mute';

/** The page around the game. Each `on…` returns the function that removes the listener. */
export type Page = {
  /** The stored value of this name; undefined when there is none or the browser stores nothing. */
  recall(name: string): string | undefined;
  keep(name: string, value: string): void;
  readonly canFullscreen: boolean;
  isFullscreen(): boolean;
  toggleFullscreen(): void;
  onFullscreen(listener: () => void): () => void;
  isOnline(): boolean;
  onOnline(listener: (online: boolean) => void): () => void;
  /** A key that is held down spins once. The listener returns whether the game used the key. */
  onKey(listener: (key: GameKey) => boolean): () => void;
  reload(): void;
};
