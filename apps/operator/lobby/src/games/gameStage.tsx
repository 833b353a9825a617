import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';
import { DeviceChoice } from './choicesPanel.tsx';
import type { OpenGame } from './launcher.ts';

/** The open game, in the frame of its device. */
export function GameStage() {
  const { launcher } = useLobby();
  const open = launcher.open.value;
  return open ? <Stage open={open} /> : null;
}

function Stage({ open }: { open: OpenGame }) {
  const { launcher } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  const { sessionID, url } = open.session;
  // The stage is above the games: without this, a person would not notice that the game opened.
  useEffect(() => {
    if (sessionID === '') return;
    title.current?.focus({ preventScroll: true });
    title.current?.closest('section')?.scrollIntoView({ block: 'start' });
  }, [sessionID]);
  return (
    <section class="stage" aria-labelledby="stageTitle">
      <div class="stageHead">
        <h2 id="stageTitle" ref={title} tabIndex={-1}>
          {open.game.title}
          <span class="unseen"> {texts.stage.isOpen}</span>
        </h2>
        <StageTools open={open} />
      </div>
      {launcher.isOutdated.value && (
        <div class="outdated" role="status">
          <p>{texts.stage.outdated}</p>
          <button type="button" class="button quiet" onClick={() => void launcher.restart()}>
            {texts.stage.restart}
          </button>
        </div>
      )}
      <div class={`frame ${open.request.device}`} data-testid="frame" data-device={open.request.device}>
        <iframe
          key={`${sessionID} ${open.load}`}
          src={url}
          title={texts.stage.frameName(open.game.title)}
          allow="autoplay; fullscreen; screen-wake-lock"
        />
      </div>
    </section>
  );
}

function StageTools({ open }: { open: OpenGame }) {
  const { launcher } = useLobby();
  return (
    <div class="stageTools">
      <DeviceChoice
        label={texts.stage.frame}
        device={launcher.choices.value.device}
        onChoose={(device) => {
          launcher.choose({ device });
          void launcher.restart();
        }}
      />
      <button
        type="button"
        class="button quiet"
        aria-label={texts.stage.reload}
        title={texts.stage.reload}
        onClick={launcher.reload}
      >
        <Icon name="reload" />
      </button>
      <a
        class="button quiet"
        href={open.session.url}
        target="_blank"
        rel="noreferrer"
        aria-label={texts.stage.newWindow}
        title={texts.stage.newWindow}
      >
        <Icon name="window" />
      </a>
      <button
        type="button"
        class="button quiet"
        aria-label={texts.stage.close}
        title={texts.stage.close}
        onClick={() => {
          launcher.close();
          document.getElementById('games')?.focus();
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
