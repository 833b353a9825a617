import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import type { LobbyFacts, LobbyGame } from '../api.ts';
import { Icon, Notice } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';
import { COVER_HEIGHT, COVER_WIDTH, coverArt } from './coverArt.ts';
import { drawsOf, funUrlOf } from './launcher.ts';

export function GameGrid({ facts: { games, beingBuilt, rgsUrl } }: { facts: LobbyFacts }) {
  const { start, launcher } = useLobby();
  const failed = launcher.failure.value;
  if (games.length === 0 && beingBuilt.length === 0) {
    return (
      <div class="empty">
        <h3>{texts.games.none}</h3>
        <p>{texts.games.noneText}</p>
        <button type="button" class="button quiet" onClick={() => void start()}>
          {texts.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <>
      {failed && (
        <Notice action={{ label: texts.tryAgain, onPress: () => void launcher.openGame(failed.game) }}>
          {texts.games.failed(failed.game.title, failed.failure)}
        </Notice>
      )}
      <ul class="cards">
        {games.map((game) => (
          <li key={game.gameID}>
            <GameCard game={game} rgsUrl={rgsUrl} />
          </li>
        ))}
        {beingBuilt.map(({ title, text }) => (
          <li key={title}>
            <article class="card" aria-label={title}>
              <div class="cover">
                <DrawnCover gameID={title} />
                <span class="coverTitle" aria-hidden="true">
                  {title}
                </span>
              </div>
              <div class="cardText">
                <h3>{title}</h3>
                <p class="soft">{text}</p>
              </div>
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}

function GameCard({ game, rgsUrl }: { game: LobbyGame; rgsUrl: string }) {
  const { account, launcher, reach } = useLobby();
  const currency = account.currency.value;
  const isOffered = game.currencies.includes(currency);
  const isOpen = launcher.open.value?.game.gameID === game.gameID;
  const isOpening = launcher.opening.value === game.gameID;
  const isFair = launcher.choices.value.isFair || drawsOf(game, {}) === 'provablyFair';
  return (
    <article class={isOpen ? 'card isOpen' : 'card'} aria-label={game.title}>
      {/* A picture by https comes once the certificate of its server is accepted. */}
      <Cover key={reach.reach.value.kind} game={game} />
      <div class="cardText">
        <h3>{game.title}</h3>
        <div class="cardLine">
          <p class="cardName code">
            {game.gameID} {game.version}
          </p>
          {isFair && (
            <p class="fairMark" title={texts.games.fairNote}>
              <Icon name="check" />
              {texts.games.fair}
            </p>
          )}
        </div>
        <CardFacts game={game} />
        <div class="cardFoot">
          <button
            type="button"
            class="button"
            aria-label={texts.games.playNamed(game.title)}
            disabled={!isOffered || !launcher.canOpen.value || isOpening}
            onClick={() => void launcher.openGame(game)}
          >
            <Icon name="play" />
            {isOpening ? texts.games.opening : texts.games.play}
          </button>
          {isOffered && game.hasFrontend && game.version !== '' && (
            <a
              class="button quiet"
              href={funUrlOf(game, { rgsUrl, currency, choices: launcher.choices.value })}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.games.playForFunNamed(game.title)}
            >
              {texts.games.playForFun}
            </a>
          )}
          {!game.hasFrontend && <span class="soft cardNote">{texts.games.testPageNote}</span>}
          {isOpen && <span class="openNow">{texts.games.playing}</span>}
          {!isOffered && <span class="soft">{texts.games.notInCurrency(currency)}</span>}
        </div>
      </div>
    </article>
  );
}

/**
 * Shows the main facts of a game. Its volatility is that of its first mode, as on its sheet.
 */
function CardFacts({ game: { statistics } }: { game: LobbyGame }) {
  const [base] = statistics;
  if (base === undefined) return <div />;
  const returns = statistics.map(({ rtp }) => rtp);
  const deviation = texts.games.deviation(base.standardDeviation);
  return (
    <dl class="cardFacts">
      <div>
        <dt>{texts.games.rtp}</dt>
        <dd>{texts.games.rtpRange(Math.min(...returns), Math.max(...returns))}</dd>
      </div>
      <div title={deviation}>
        <dt>{texts.games.volatility}</dt>
        <dd>
          {texts.games.volatilities[base.volatility]}
          <span class="unseen"> {deviation}</span>
        </dd>
      </div>
      <div>
        <dt>{texts.games.maxWin}</dt>
        <dd>{texts.games.times(Math.max(...statistics.map(({ maxWin }) => maxWin)))}</dd>
      </div>
    </dl>
  );
}

/**
 * Shows the picture of a game. Hidden from screen readers, because the title is next to it.
 */
function Cover({ game }: { game: LobbyGame }) {
  const isBroken = useSignal(false);
  return (
    <div class="cover">
      {game.thumbnail === undefined || isBroken.value ? (
        <>
          <DrawnCover gameID={game.gameID} />
          <span class="coverTitle" aria-hidden="true">
            {game.title}
          </span>
        </>
      ) : (
        <img
          src={game.thumbnail}
          alt=""
          loading="lazy"
          onError={() => {
            isBroken.value = true;
          }}
        />
      )}
      {!game.hasFrontend && <span class="coverMark">{texts.games.testPage}</span>}
    </div>
  );
}

function DrawnCover({ gameID }: { gameID: string }) {
  const id = useId();
  const { sky, forms } = useMemo(() => coverArt(gameID), [gameID]);
  return (
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
        <path key={d + fill + opacity} d={d} fill={fill} stroke={stroke} stroke-width={strokeWidth} opacity={opacity} />
      ))}
    </svg>
  );
}
