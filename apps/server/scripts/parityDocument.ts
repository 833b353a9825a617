import { GAME_ROUTES } from '@roundhouse/contract';
import { type Difference, SOURCES } from '../src/local/parity/differences.ts';
import { table } from './metrics/document.ts';

const HEAD = `# Parity with Engine

The game protocol is that of the server of Engine (formerly Stake Engine). Where Roundhouse does what Engine refuses, a
game can pass here and fail there.

- \`roundhouse dev --strict engine\` responds to games as Engine does, as far as public material of 30 November 2026
  shows it.
- Without it, the studio bench of \`npm start\` names the requests that Engine refuses while you play.
- In both, the header \`X-Roundhouse-Parity\` of a response names the row by which Engine refuses the request.
  \`roundhouse serve\` has none of this.

**Documented**: Engine's own documents say it. **Seen in public clients**: front ends of Engine or of others rely on it.
**Not known**: strict mode keeps our response. The kit and the client are Engine's; the games and the guide are not.
`;

/** Writes docs/parity.md. */
export function parityDocument(differences: readonly Difference[]): string {
  const places = [...new Set(differences.flatMap(({ sources }) => sources))];
  const nameOf = (place: string) => place.split(':')[0] as keyof typeof SOURCES;
  const rows = differences.map(({ id, requests, ours, theirs, sources, certainty, refusal, answer }) => [
    `\`${id}\``,
    requests.map((name) => `\`${GAME_ROUTES[name].path}\``).join(', '),
    ours,
    theirs,
    sources.map((place) => `[${nameOf(place)}][${places.indexOf(place) + 1}]`).join(', '),
    certainty,
    refusal ? 'refuses' : answer ? 'responds so' : 'keeps ours',
  ]);
  const links = places.map((place, index) => {
    const name = nameOf(place);
    return `[${index + 1}]: ${SOURCES[name]}/${place.slice(name.length + 1)}\n`;
  });
  const heads = ['difference', 'request', 'ours', "Engine's", 'sources', 'certainty', 'strict mode'];
  return [HEAD, table(heads, rows), links.join('')].join('\n');
}
