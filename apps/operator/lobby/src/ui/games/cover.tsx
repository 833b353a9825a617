import { useId, useMemo } from 'preact/hooks';
import { COVER_HEIGHT, COVER_WIDTH, coverArt } from '../../games/coverArt.ts';

/** The picture of a game. The title is written beside it, so it says nothing to a screen reader. */
export function Cover({ gameID }: { gameID: string }) {
  const id = useId();
  const { sky, forms } = useMemo(() => coverArt(gameID), [gameID]);
  return (
    <div class="cover">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${COVER_WIDTH} ${COVER_HEIGHT}`}
        preserveAspectRatio="xMidYMid slice"
        focusable="false"
      >
        <defs>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stop-color={sky[0]} />
            <stop offset="1" stop-color={sky[1]} />
          </linearGradient>
        </defs>
        <rect width={COVER_WIDTH} height={COVER_HEIGHT} fill={`url(#${id})`} />
        {forms.map(({ d, fill = 'none', stroke = 'none', strokeWidth = 0, opacity = 1 }) => (
          <path
            key={d + fill + opacity}
            d={d}
            fill={fill}
            stroke={stroke}
            stroke-width={strokeWidth}
            opacity={opacity}
          />
        ))}
      </svg>
    </div>
  );
}
