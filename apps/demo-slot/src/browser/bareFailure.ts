/** Shown when not even the game's texts could be loaded: one sentence and a button, in English. */
export function showBareFailure(host: HTMLElement): void {
  const sentence = document.createElement('p');
  sentence.setAttribute('role', 'alert');
  sentence.textContent = 'The game could not be loaded. Check your internet connection.';
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Reload';
  button.addEventListener('click', () => location.reload());
  const box = document.createElement('main');
  box.style.cssText =
    'display:grid;place-content:center;justify-items:center;gap:1rem;height:100%;font:1.1rem system-ui';
  box.append(sentence, button);
  host.replaceChildren(box);
}
