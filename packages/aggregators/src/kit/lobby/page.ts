import { idsText, meaningText, membersOf, moneyText } from '../meaning.ts';
import type { Simulator, WalletApiExchange } from '../simulatorApi.ts';

export type LobbyGame = {
  gameID: string;
  title: string;
  /** Each currency has these bets, in micros. `bet` is that of one free round. */
  bets: Readonly<Record<string, { bet: number; levels: readonly number[] }>>;
};

export type Seat = { player: string; currency: string };

export type LobbyView = {
  simulator: Simulator;
  seat: Seat;
  currencies: readonly string[];
  games: readonly LobbyGame[];
  /** It is shown once. */
  notice: { text: string; isBad: boolean } | undefined;
};

export const FREE_ROUNDS = 5;
const SHOWN_EXCHANGES = 20;

export function lobbyPage(view: LobbyView): string {
  const { name } = view.simulator.aggregator;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lobby of the ${html(name)} simulator</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/lobby.css">
<script src="/lobby.js" defer></script>
</head>
<body>
<header>
<h1>Lobby of the ${html(name)} simulator</h1>
<p>It launches at <code>${html(view.simulator.world.supplierUrl)}</code>. Its wallet API is at <code>${html(view.simulator.url)}</code>.</p>
</header>
${noticeText(view)}
<main>
<div class="side">
<section><h2>Players</h2>${playersList(view)}${addForm(view)}</section>
<section><h2>Games</h2>${view.games.map((game) => gameCard(game, view)).join('')}</section>
</div>
<section><h2>Last wallet requests</h2>${requestsList(view)}</section>
</main>
</body>
</html>`;
}

/** The parts of the page that change on their own. */
export function livePart(view: LobbyView): string {
  return playersList(view) + requestsList(view);
}

export function refusalPage(text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The launch was refused</title><link rel="stylesheet" href="/lobby.css"></head>
<body><h1>The launch was refused</h1><p class="notice bad">${html(text)}</p></body>
</html>`;
}

function noticeText({ notice }: LobbyView): string {
  if (notice === undefined) return '';
  return `<p class="notice${notice.isBad ? ' bad' : ''}" role="status">${html(notice.text)}</p>`;
}

function playersList({ simulator, seat }: LobbyView): string {
  const items = simulator.world.books.accounts().map(({ player, currency }) => {
    const isChosen = player === seat.player && currency === seat.currency;
    const balance = microsText(simulator.balance(player, currency), currency);
    return (
      `<li><a href="${html(hrefOf({ player, currency }))}"${isChosen ? ' aria-current="true"' : ''}>` +
      `<strong>${html(player)}</strong><span>${html(balance)}</span></a></li>`
    );
  });
  return `<ul id="players" class="players">${items.join('')}</ul>`;
}

function addForm({ currencies }: LobbyView): string {
  const options = currencies.map((currency) => `<option>${html(currency)}</option>`).join('');
  return (
    `<form class="add" method="post" action="/lobby/players">` +
    `<input name="player" required maxlength="64" placeholder="New player" aria-label="Name of a new player">` +
    `<select name="currency" aria-label="Currency">${options}</select><button>Add</button></form>`
  );
}

function gameCard({ gameID, title, bets }: LobbyGame, { simulator, seat }: LobbyView): string {
  const form = (action: string, button: string, target = '') =>
    `<form method="post" action="/lobby/${action}"${target}>${hidden({ ...seat, gameID })}${button}</form>`;
  const canGive = simulator.aggregator.giveFreeRounds !== undefined && bets[seat.currency] !== undefined;
  return (
    `<article class="card"><div><h3>${html(title)}</h3><code>${html(gameID)}</code></div><div class="actions">` +
    (canGive ? form('free-rounds', `<button>Give ${FREE_ROUNDS} free rounds</button>`) : '') +
    form('launch', '<button class="main">Play</button>', ' target="_blank"') +
    '</div></article>'
  );
}

function hidden(fields: Record<string, string>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`)
    .join('');
}

function requestsList({ simulator }: LobbyView): string {
  const exchanges = simulator.exchanges().slice(0, SHOWN_EXCHANGES);
  if (exchanges.length === 0) {
    return '<div id="requests"><p class="soft">None yet. Play a game: each request to the wallet comes here.</p></div>';
  }
  return `<ol id="requests">${exchanges.map((each) => requestItem(each, simulator)).join('')}</ol>`;
}

function requestItem({ number, at, request, response }: WalletApiExchange, { aggregator }: Simulator): string {
  const time = at.toISOString();
  const name = /([^/?]*?)(\.\w+)?(\?.*)?$/.exec(request.path)?.[1] ?? '';
  const meaning = aggregator.meaning?.(membersOf(String(request.body)), membersOf(response.body), name);
  return (
    `<li><details id="request-${number}"><summary><time datetime="${time}">${time.slice(11, 19)}</time>` +
    `<code>${html(request.path)}</code><span class="soft">${response.status}</span>` +
    (meaning === undefined
      ? ''
      : `<span class="meaning">${html(meaningText(meaning))}</span><span class="ids soft">${html(idsText(meaning))}</span>`) +
    `</summary><div class="bodies"><span class="soft">Request</span><pre>${html(bodyText(String(request.body)))}</pre>` +
    `<span class="soft">Response</span><pre>${html(bodyText(response.body))}</pre></div></details></li>`
  );
}

/** JSON with line feeds, a form with a line for each field, and anything else as it is. */
function bodyText(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return /^[\w.%-]+=/.test(body)
      ? [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join('\n')
      : body;
  }
}

export function hrefOf({ player, currency }: Seat): string {
  return `/?${new URLSearchParams({ player, currency })}`;
}

export function microsText(micros: number, currency: string): string {
  return moneyText(BigInt(micros), currency, 6);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes a text for elements and for attributes in double quotes. */
const html = (text: string) => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
