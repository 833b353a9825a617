import { GAME_TITLE } from '../../../rules.ts';
import logo from '../../assets/ui/logo.svg?url';
import { useUi } from '../uiContext.ts';
import { Intro } from './intro.tsx';
import { LoadingBar } from './loadingBar.tsx';
import { ReplayCard } from './replayCard.tsx';
import { hidesGame, welcomeKindOf } from './welcomeKind.ts';

export function Welcome() {
  const { model } = useUi();
  const kind = welcomeKindOf(model);
  if (!kind) return null;
  // Where the game is seen, it is the main part of the page.
  const Part = hidesGame(kind) ? 'main' : 'div';
  const replay = model.replay.value;
  return (
    <Part class="welcome" data-kind={kind}>
      <h1 class="welcomeLogo">
        <img src={logo} alt={GAME_TITLE} width="900" height="260" draggable={false} />
      </h1>
      {kind === 'loading' && <LoadingBar />}
      {kind === 'intro' && <Intro />}
      {replay && <ReplayCard replay={replay} />}
    </Part>
  );
}
