import { type Client, createClient, isRgsError, isSocial } from '@roundhouse/sdk';
import { holdSession } from '@roundhouse/sdk/duties';
import { funMode } from '@roundhouse/sdk/fun';
import { createDialogs } from './dialogs.ts';
import { h } from './dom.ts';
import { createDuties } from './duties.ts';
import { createGame, type Game } from './game.ts';
import { createHud, type Hud } from './hud.ts';
import { modesSection } from './infoPage.ts';
import { createMenu } from './menu.ts';
import { createMoney } from './money.ts';
import { paytable } from './paytable.ts';
import { createShow } from './show.ts';
import { createSound } from './sound.ts';
import { textsFor } from './texts.ts';

const element = (id: string) => document.getElementById(id) as HTMLElement;

async function run(client: Client): Promise<void> {
  // The words of a social casino depend on the server. The game shows errors.
  if (client.launch.kind === 'play') await client.authenticate().catch(() => undefined);
  const texts = textsFor(client.launch.language, isSocial(client));
  const money = createMoney(client);
  const dialogs = createDialogs(texts);
  const sound = createSound();
  const show = await createShow(element('stage'), { texts, sound });
  const parts = { client, texts, money, dialogs, sound, show };

  let hud: Hud | undefined;
  const openMenu = createMenu({
    ...parts,
    rules: () => [
      ...paytable({ texts, money, betMicros: game.betMicros, picture: show.picture }),
      ...modesSection({ texts, money }),
      h('p', {}, texts.interruptedNote),
      h('p', {}, texts.malfunctionNote),
    ],
    replay: (round) => game.replay(round),
  });
  const game: Game = createGame({ ...parts, duties: createDuties(parts), hud: () => hud as Hud, openMenu });
  hud = createHud(element('hud'), texts, game.act);
  listenToKeys(client, game);
  void holdSession(client).then(game.giveUp);
  await game.start();
}

function listenToKeys(client: Client, game: Game): void {
  addEventListener('keydown', (event) => {
    const { code, repeat, target } = event;
    const isControl = target instanceof HTMLButtonElement || document.querySelector('dialog[open]') !== null;
    // Each round needs a separate press: holding Enter down would press a button again.
    if (target instanceof HTMLButtonElement && repeat) event.preventDefault();
    if (code !== 'Space' || repeat || isControl || client.state.config?.jurisdiction.disabledSpacebar) return;
    game.act('spin');
  });
}

try {
  await run(createClient({ url: location.href, funMode }));
} catch (error) {
  if (!isRgsError(error)) throw error;
  element('stage').textContent = textsFor('en', false)[error.kind];
}
