import { computed } from '@preact/signals-core';
import type { Client, Jurisdiction } from '@roundhouse/sdk';
import { onTestFinished } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';
import { createGame, type Game } from '../createGame.ts';
import type { GameModel } from '../gameModel.ts';
import { openLaunch } from '../launch.ts';
import type { AudioPort, Clock, Cue, Music, Volumes } from '../ports.ts';
import { until } from '../store.ts';
import { createFakePage, createFakeStage, createVirtualClock, type FakePage, type FakeStage } from './fakePorts.ts';
import { createFakeServer, type FakeServer } from './fakeServer.ts';

type FakeAudio = AudioPort & { readonly cues: Cue[]; piece: Music; muted: boolean; volumes: Volumes | undefined };

export type TestGame = Game & {
  readonly server: FakeServer;
  readonly stage: FakeStage;
  readonly page: FakePage;
  readonly audio: FakeAudio;
  readonly client: Client | undefined;
};

export type TestGameOptions = {
  readonly jurisdiction?: Partial<Jurisdiction>;
  readonly server?: FakeServer;
  readonly page?: FakePage;
  readonly clock?: Clock;
  /** It is added to the launch link, or replaces it when it is a whole one. */
  readonly link?: string;
};

const LINK = 'https://games.example/aurora-line/1.0.0/index.html?sessionID=s&rgs_url=rgs.example&lang=en';

/**
 * Opens a game with the real client and texts. Network, picture, sound, page and time are fakes.
 */
export async function openTestGame(options: TestGameOptions = {}): Promise<TestGame> {
  const { jurisdiction, link = '', page = createFakePage(), clock = createVirtualClock() } = options;
  const server = options.server ?? createFakeServer(jurisdiction);
  const stage = createFakeStage();
  const audio = createFakeAudio();
  const launch = openLaunch({
    url: link.startsWith('https:') ? link : LINK + link,
    fetch: server.fetch,
    storage: memoryStorage(),
    maxRetries: 0,
    balanceRefreshMs: 0,
  });
  const texts = await loadTexts(launch.language);
  const game = createGame({ launch, stage, audio, texts, clock, page });
  onTestFinished(() => game.close());
  return { ...game, server, stage, page, audio, client: launch.client };
}

/** Returns a game that has been loaded and entered, with a new player. */
export async function enterTestGame(options: TestGameOptions = {}): Promise<TestGame> {
  const game = await openTestGame(options);
  await game.start();
  game.actions.enter();
  return game;
}

/** Resolves when the game waits for the player. */
export function atRest({ phase, canSpin, dialog, replay, autoplay }: GameModel): Promise<void> {
  return until(
    computed(() => {
      if (dialog.value || phase.value === 'blocked') return true;
      return phase.value === 'idle' && !autoplay.value && (canSpin.value || replay.value !== undefined);
    }),
  );
}

export function createFakeAudio(): FakeAudio {
  const audio: FakeAudio = {
    cues: [],
    piece: 'none',
    muted: false,
    volumes: undefined,
    unlock() {},
    play: (cue) => void audio.cues.push(cue),
    stop() {},
    music(piece) {
      audio.piece = piece;
    },
    setMuted(muted) {
      audio.muted = muted;
    },
    setVolumes(volumes) {
      audio.volumes = volumes;
    },
  };
  return audio;
}

function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}
