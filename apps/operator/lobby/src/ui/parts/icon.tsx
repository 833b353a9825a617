const PATHS = {
  bench: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  chevron: 'm6 9.5 6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  desktop: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  mobile: 'M7.5 3h9v18h-9zM11 18h2',
  player: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  play: 'M8 5.5v13l10.5-6.5z',
  reload: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3.5v4h-4',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.3',
  window: 'M13.5 4H20v6.5M20 4l-9 9M18 13.5V20H4V6h6.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
