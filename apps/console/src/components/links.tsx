import type { ReactNode } from 'react';
import { PathLink } from './PathLink.tsx';

export type PlayerKey = { operator: string; playerID: string };

/** A name may contain any character. */
const at = (...parts: readonly (string | number)[]) => `/${parts.map(encodeURIComponent).join('/')}`;

export const roundPath = ({ betID }: { betID: number | string }) => at('rounds', betID);
export const playerPath = ({ operator, playerID }: PlayerKey) => at('players', operator, playerID);
export const gamePath = (gameID: string) => at('games', gameID);
export const operatorPath = (code: string) => at('operators', code);
export const campaignPath = ({ operator, campaignID }: { operator: string; campaignID: string }) =>
  at('free-rounds', operator, campaignID);

export function RoundLink({ betID, children = betID }: { betID: number | string; children?: ReactNode }) {
  return <PathLink to={roundPath({ betID })}>{children}</PathLink>;
}

export function PlayerLink({ operator, playerID }: PlayerKey) {
  return (
    <PathLink to={playerPath({ operator, playerID })} title={playerID}>
      {playerID}
    </PathLink>
  );
}

export function GameLink({ gameID, children = gameID }: { gameID: string; children?: ReactNode }) {
  return (
    <PathLink to={gamePath(gameID)} title={gameID}>
      {children}
    </PathLink>
  );
}

export function OperatorLink({ operator }: { operator: string }) {
  return <PathLink to={operatorPath(operator)}>{operator}</PathLink>;
}

export function CampaignLink({ operator, campaignID }: { operator: string; campaignID: string }) {
  return <PathLink to={campaignPath({ operator, campaignID })}>{campaignID}</PathLink>;
}
