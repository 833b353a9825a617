import { createHash } from 'node:crypto';
import { changeClientSeed } from '../../server/dist/rounds/fair/fairSeeds.js';
import { inGroups } from './servers.ts';
import type { Stage } from './stage.ts';

/** The number of players who get their seeds at the same time. */
const AT_A_TIME = 4;

/** Gives each player a second session, with fair draws. Returns the sessionIDs. */
export async function addFairSessions({ db, sessions }: Stage): Promise<string[]> {
  const added = sessions.map((sessionID) => ({ sessionID: `fair ${sessionID}`, of: sha256Of(sessionID) }));
  await inGroups(added, AT_A_TIME, async ({ sessionID, of }) => {
    const { id: _, ...certified } = await db.session.findUniqueOrThrow({ where: { tokenSha256: of } });
    const jurisdiction = certified.jurisdiction as object;
    const fair = { ...certified, jurisdiction, tokenSha256: sha256Of(sessionID), draws: 'provably_fair' as const };
    const { id: sessionRowID, playerId: playerID } = await db.session.create({ data: fair });
    const changed = await changeClientSeed(db, { playerID, sessionRowID, clientSeed: `lucky ${sessionRowID}` });
    if (!changed.ok) throw new Error(changed.refusal);
  });
  return added.map(({ sessionID }) => sessionID);
}

function sha256Of(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
