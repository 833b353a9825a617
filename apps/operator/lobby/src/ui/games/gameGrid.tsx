import type { LobbyGame } from '../../api/apiTypes.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { Cover } from './cover.tsx';

export function GameGrid({ games }: { games: readonly LobbyGame[] }) {
  const { start, table } = useLobby();
  const failed = table.failure.value;
  if (games.length === 0) {
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
        <Notice action={{ label: texts.tryAgain, onPress: () => void table.openGame(failed.game) }}>
          {texts.games.failed(failed.game.title, failed.failure)}
        </Notice>
      )}
      <ul class="cards">
        {games.map((game) => (
          <li key={game.gameID}>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
    </>
  );
}

function GameCard({ game }: { game: LobbyGame }) {
  const { account, table } = useLobby();
  const currency = account.currency.value;
  const isOffered = game.currencies.includes(currency);
  const isOpen = table.open.value?.game.gameID === game.gameID;
  const isOpening = table.opening.value === game.gameID;
  return (
    <article class={isOpen ? 'card isOpen' : 'card'} aria-label={game.title}>
      <Cover gameID={game.gameID} />
      <div class="cardText">
        <h3>{game.title}</h3>
        <p class="cardFacts">
          <span class="code">{game.gameID}</span>
          <span>{texts.games.version(game.version)}</span>
        </p>
        <ul class="modes" aria-label={texts.games.modes}>
          {game.modes.map((mode) => (
            <li key={mode}>{mode}</li>
          ))}
          {!game.hasFrontend && <li class="testPage">{texts.games.testPage}</li>}
        </ul>
        <p class="soft cardNote">{!game.hasFrontend && texts.games.testPageNote}</p>
        <div class="cardFoot">
          <button
            type="button"
            class="button"
            aria-label={texts.games.playNamed(game.title)}
            disabled={!isOffered || !table.canOpen.value || isOpening}
            onClick={() => void table.openGame(game)}
          >
            <Icon name="play" />
            {isOpening ? texts.games.opening : texts.games.play}
          </button>
          {isOpen && <span class="openNow">{texts.games.playing}</span>}
          {!isOffered && <span class="soft">{texts.games.notInCurrency(currency)}</span>}
        </div>
      </div>
    </article>
  );
}
