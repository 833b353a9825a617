import { useEffect, useRef } from 'preact/hooks';
import { FaultStrip } from '../bench/faultPanel.tsx';
import { Icon, IconButton } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';
import { DeviceChoice } from './choicesPanel.tsx';
import { drawsOf, frameUrlOf, type OpenGame } from './launcher.ts';
import { healthOf, type Reach } from './reach.ts';

/** Shows the open game, in the frame of its device. */
export function GameStage() {
  const { launcher } = useLobby();
  const open = launcher.open.value;
  return open ? <Stage open={open} /> : null;
}

function Stage({ open }: { open: OpenGame }) {
  const { launcher, reach } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  const { sessionID } = open.session;
  const reached = reach.reach.value;
  // The stage is above the games. Without this, you would not notice that the game opened.
  useEffect(() => {
    if (sessionID === '') return;
    title.current?.focus({ preventScroll: true });
    title.current?.closest('section')?.scrollIntoView({ block: 'start' });
  }, [sessionID]);
  const isInFrame = reached.kind === 'reached' || reached.kind === 'https-wanted';
  return (
    <section class="stage" aria-labelledby="stageTitle">
      <div class="stageHead">
        <h2 id="stageTitle" ref={title} tabIndex={-1}>
          {open.game.title}
          <span class="unseen"> {texts.stage.isOpen}</span>
        </h2>
        <p class="stageDraws soft" data-testid="draws">
          {texts.stage.draws[drawsOf(open.game, open.request)]}
        </p>
        <StageTools open={open} />
      </div>
      <FaultStrip />
      {open.replay && (
        <div class="strip" role="status">
          <p>{texts.stage.replay(open.replay.mode, open.replay.bookID)}</p>
          <button type="button" class="button quiet" onClick={launcher.reload}>
            {texts.stage.endReplay}
          </button>
        </div>
      )}
      {launcher.isOutdated.value && (
        <div class="strip" role="status">
          <p>{texts.stage.outdated}</p>
          <button type="button" class="button quiet" onClick={() => void launcher.restart()}>
            {texts.stage.restart}
          </button>
        </div>
      )}
      {reached.kind === 'https-wanted' && (
        <div class="strip warning" role="status">
          <p>{texts.reach.wanted}</p>
          <AcceptLink url={reached.url} />
        </div>
      )}
      <div class={`frame ${open.request.device}`} data-testid="frame" data-device={open.request.device}>
        {isInFrame ? (
          <iframe
            key={`${sessionID} ${open.load}`}
            src={frameUrlOf(open)}
            title={texts.stage.frameName(open.game.title)}
            allow="autoplay; fullscreen; screen-wake-lock; clipboard-write"
          />
        ) : (
          <Unreached reach={reached} />
        )}
      </div>
    </section>
  );
}

/** Replaces the frame, because a browser cannot accept a certificate inside a frame. */
function Unreached({ reach }: { reach: Reach }) {
  if (reach.kind !== 'blocked') {
    return (
      <p class="unreached soft" role="status">
        {texts.reach.checking}
      </p>
    );
  }
  return (
    <div class="unreached" role="alert">
      <h3>{texts.reach.blockedTitle}</h3>
      <p>{texts.reach.blockedText(new URL(reach.url).host)}</p>
      <AcceptLink url={reach.url} />
      <p class="soft">{texts.reach.blockedNote}</p>
    </div>
  );
}

/** Opens the server's address in a tab, and closes the tab when the certificate is accepted. */
function AcceptLink({ url }: { url: string }) {
  const { reach } = useLobby();
  const tab = useRef<Window | null>(null);
  useEffect(() => {
    const look = () => reach.lookNow();
    addEventListener('focus', look);
    return () => {
      removeEventListener('focus', look);
      tab.current?.close();
    };
  }, [reach]);
  return (
    <a
      class="button"
      href={healthOf(url)}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        tab.current = open(healthOf(url), '_blank');
      }}
    >
      <Icon name="window" />
      {texts.reach.accept}
    </a>
  );
}

function StageTools({ open }: { open: OpenGame }) {
  const { launcher } = useLobby();
  const isTheatre = launcher.isTheatre.value;
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
      <IconButton
        className="theatreButton"
        icon="theatre"
        label={texts.stage.theatre}
        isPressed={isTheatre}
        onPress={() => {
          launcher.setTheatre(!isTheatre);
          requestAnimationFrame(() => document.querySelector('.stage')?.scrollIntoView({ block: 'start' }));
        }}
      />
      <IconButton icon="reload" label={texts.stage.reload} onPress={launcher.reload} />
      <a
        class="button quiet square"
        href={open.session.url}
        target="_blank"
        rel="noreferrer"
        aria-label={texts.stage.newWindow}
        title={texts.stage.newWindow}
      >
        <Icon name="window" />
      </a>
      <IconButton
        icon="close"
        label={texts.stage.close}
        onPress={() => {
          launcher.close();
          document.getElementById('games')?.focus();
        }}
      />
    </div>
  );
}
