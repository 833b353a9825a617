/** A game with one button, which says what it was launched with. */
export const FAKE_GAME_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>A game</title>
    <style>
      html, body { height: 100%; margin: 0 }
      body { display: grid; place-content: center; gap: 24px; justify-items: center; font: 16px sans-serif; color: #eaf4ff;
        background: radial-gradient(ellipse at 50% 110%, #1d8f86, #101a44 55%, #070b1f) }
      button { padding: 20px 44px; border: 0; border-radius: 99px; font: 600 20px sans-serif; background: #f4c867 }
      pre { opacity: .7; white-space: pre-wrap; font-size: 12px; max-width: 80vw; overflow-wrap: anywhere }
    </style>
  </head>
  <body>
    <button>Spin</button>
    <pre></pre>
    <script>
      const launch = Object.fromEntries(new URLSearchParams(location.search));
      document.querySelector('pre').textContent = JSON.stringify(launch, null, 2);
      document.querySelector('button').onclick = () =>
        fetch('/api/fake-spin', { method: 'POST', body: JSON.stringify(launch) });
    </script>
  </body>
</html>
`;
