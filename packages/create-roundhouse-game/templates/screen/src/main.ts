import { type Client, createClient, isRgsError, isSocial } from '@roundhouse/sdk';
import { holdSession } from '@roundhouse/sdk/duties';
import { funMode } from '@roundhouse/sdk/fun';
import { createDialogs } from './dialogs.ts';
import { h } from './dom.ts';
import { createDuties } from './duties.ts';
import { createGame, type Game } from './game.ts';
import { createHud, type Hud } from './hud.ts';
import { modesSection } from './infoPage.ts';
import { introCards } from './intro.ts';
import { listenToKeys } from './keys.ts';
import { createMenu } from './menu.ts';
import { createMoney } from './money.ts';
import { paytable } from './paytable.ts';
import { createShow } from './show.ts';
import { createSound } from './sound.ts';
import { textsFor } from './texts.ts';
import { createWelcome } from './welcome.ts';

/** This share of the loading is done when the script runs, and when the server has responded. */
const STARTED = 0.15;
const CONNECTED = 0.3;

const element = (id: string) => document.getElementById(id) as HTMLElement;
const welcome = createWelcome();

async function run(client: Client): Promise<void> {
  const isPlay = client.launch.kind === 'play';
  const { language } = client.launch;
  welcome.showLoading(STARTED, textsFor(language, false).loading);
  // The words of a social casino depend on the server. The game shows errors.
  if (isPlay) await client.authenticate().catch(() => undefined);
  const texts = textsFor(language, isSocial(client));
  const onProgress = (share: number) => welcome.showLoading(CONNECTED + (1 - CONNECTED) * share, texts.loading);
  onProgress(0);
  const money = createMoney(client);
  const dialogs = createDialogs(texts);
  const sound = createSound();
  const show = await createShow(element('stage'), { texts, sound, onProgress });
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
  // A replay begins at once, and so does the message about what keeps the game from beginning.
  if (isPlay && !client.state.needsAuthenticate) {
    const isRoundOpen = client.state.activeRound !== undefined;
    await welcome.introduce(introCards({ texts, money, picture: show.picture }), { texts, isRoundOpen });
    sound.unlock();
  }
  welcome.close();
  await game.start();
}

try {
  await run(createClient({ url: location.href, funMode }));
} catch (error) {
  if (!isRgsError(error)) throw error;
  welcome.fail(textsFor('en', false)[error.kind]);
}
