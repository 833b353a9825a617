import { type Client, createClient, isRgsError } from '@roundhouse/sdk';
import { createGame } from './game.ts';
import { createHud, type Hud } from './hud.ts';
import { createSound } from './sound.ts';
import { createStage } from './stage.ts';
import { textsFor } from './texts.ts';

const element = (id: string) => document.getElementById(id) as HTMLElement;

async function run(client: Client): Promise<void> {
  const texts = textsFor(client.launch.language);
  const stage = await createStage(element('stage'), texts);
  let hud: Hud | undefined;
  const game = createGame({ client, stage, sound: createSound(), texts, hud: () => hud as Hud });
  hud = createHud(element('hud'), texts, game.act);
  addEventListener('keydown', (event) => {
    const { code, repeat, target } = event;
    const isButton = target instanceof HTMLButtonElement;
    // Each round needs a press of its own: Enter that is held down would press a button again.
    if (isButton && repeat) event.preventDefault();
    if (code !== 'Space' || repeat || isButton || client.state.config?.jurisdiction.disabledSpacebar) return;
    game.act('spin');
  });
  await game.start();
}

try {
  await run(createClient({ url: location.href }));
} catch (error) {
  if (!isRgsError(error)) throw error;
  element('stage').textContent = textsFor('en')[error.kind];
}
