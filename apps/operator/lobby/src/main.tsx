import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/fields.css';
import './styles/panels.css';
import './styles/head.css';
import './styles/layout.css';
import './styles/games.css';
import './styles/stage.css';
import './styles/statement.css';
import './styles/bench.css';
// Teaches Preact to draw a component again when a signal that it has read changes.
import '@preact/signals';
import { render } from 'preact';
import { createApi } from './api/api.ts';
import { createKeptValues } from './model/keptValues.ts';
import { createLobbyModel } from './model/lobbyModel.ts';
import { App } from './ui/app.tsx';
import { LobbyContext } from './ui/lobbyContext.ts';

const model = createLobbyModel({
  api: createApi({ send: (input, init) => fetch(input, init) }),
  kept: createKeptValues(() => localStorage),
  openStream: (url) => new EventSource(url),
});

const host = document.getElementById('lobby');
if (!host) throw new Error('the page has no #lobby');
render(
  <LobbyContext.Provider value={model}>
    <App />
  </LobbyContext.Provider>,
  host,
);
void model.start();
