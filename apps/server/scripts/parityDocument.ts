import { GAME_ROUTES } from '@roundhouse/contract';
import { type Difference, SOURCES } from '../src/local/parity/differences.ts';
import { listItem } from './metrics/document.ts';

const HEAD = `# Parity with Engine

The game protocol is that of the server of Engine (formerly Stake Engine). Where Roundhouse does what Engine refuses, a
game can pass here and fail there.

- \`roundhouse dev --strict engine\` responds to games as Engine does, as far as public material of 30 November 2026
  shows it.
- Without it, the studio bench of \`npm start\` names the requests that Engine refuses while you play.
- In both, the header \`X-Roundhouse-Parity\` of a response names the difference by which Engine refuses the request.
  \`roundhouse serve\` has none of this.

**Documented**: Engine's own documents say it. **Seen in public clients**: front ends of Engine or of others rely on it.
**Not known**: strict mode keeps our response. The kit and the client are Engine's; the games and the guide are not.
`;

/** Writes docs/parity.md. */
export function parityDocument(differences: readonly Difference[]): string {
  const places = [...new Set(differences.flatMap(({ sources }) => sources))];
  const nameOf = (place: string) => place.split(':')[0] as keyof typeof SOURCES;
  const items = differences.map(({ id, requests, ours, theirs, sources, certainty, refusal, answer }) => {
    const paths = requests.map((name) => `\`${GAME_ROUTES[name].path}\``).join(', ');
    const links = sources.map((place) => `[${nameOf(place)}][${places.indexOf(place) + 1}]`).join(', ');
    const strict = refusal ? 'strict mode refuses' : answer ? 'strict mode responds so' : 'strict mode keeps ours';
    return [
      listItem(`**\`${id}\`** of ${paths}: ${certainty} (${links}); ${strict}.`),
      listItem(`Ours: ${ours}.`, 2),
      listItem(`Engine's: ${theirs}.`, 2),
    ].join('');
  });
  const links = places.map((place, index) => {
    const name = nameOf(place);
    return `[${index + 1}]: ${SOURCES[name]}/${place.slice(name.length + 1)}\n`;
  });
  return [HEAD, items.join(''), links.join('')].join('\n');
}
