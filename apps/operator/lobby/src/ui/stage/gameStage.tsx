import { DEVICES } from '@roundhouse/contract/light';
import { useEffect, useRef } from 'preact/hooks';
import type { OpenGame } from '../../model/tableModel.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Segments } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';

/** The open game, in the frame of its device. */
export function GameStage() {
  const { table } = useLobby();
  const open = table.open.value;
  return open ? <Stage open={open} /> : null;
}

function Stage({ open }: { open: OpenGame }) {
  const { table } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  const { sessionID, url } = open.session;
  // A game that opens further up the page would open unseen, and unheard.
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
      {table.isOutdated.value && (
        <div class="outdated" role="status">
          <p>{texts.stage.outdated}</p>
          <button type="button" class="button quiet" onClick={() => void table.restart()}>
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
  const { table } = useLobby();
  return (
    <div class="stageTools">
      <Segments
        label={texts.stage.frame}
        value={table.choices.value.device}
        options={DEVICES.toReversed().map((value) => ({
          value,
          label: texts.choices.devices[value],
          picture: <Icon name={value} />,
        }))}
        onChoose={(device) => {
          table.choose({ device });
          void table.restart();
        }}
      />
      <button
        type="button"
        class="button quiet"
        aria-label={texts.stage.reload}
        title={texts.stage.reload}
        onClick={table.reload}
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
          table.close();
          document.getElementById('games')?.focus();
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
