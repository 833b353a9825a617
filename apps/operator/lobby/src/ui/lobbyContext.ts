import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LobbyModel } from '../model/lobbyModel.ts';

export const LobbyContext = createContext<LobbyModel | undefined>(undefined);

/** @throws Error outside of the page */
export function useLobby(): LobbyModel {
  const model = useContext(LobbyContext);
  if (!model) throw new Error('used outside of LobbyContext');
  return model;
}
