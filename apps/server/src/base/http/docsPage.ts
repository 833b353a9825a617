import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { beingBuilt } from './beingBuilt.ts';

/** The page needs these files of Swagger UI. This server has them, so the page works offline. */
const SWAGGER_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
] as const;

const PACKAGE_FOLDER = fileURLToPath(new URL('../../..', import.meta.url));
/** `docs` builds the site into this folder. */
const SITE_FOLDER = `${PACKAGE_FOLDER}pages/docs`;
const SWAGGER_FOLDER = `${PACKAGE_FOLDER}pages/swagger`;

/** They are committed, because only their generator needs the packages that write them. */
const DOCUMENTS = ['openapi.json', 'wallet-openapi.json'] as const;

/**
 * The policy allows no inline scripts or styles, and nothing from elsewhere; `data:` is for the
 * pictures inside Swagger UI's style sheet.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SITE_POLICY = "default-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** All addresses are relative, so that the page also works below a path of a reverse proxy. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Roundhouse API</title>
<link rel="icon" type="image/png" href="favicon-32x32.png">
<link rel="stylesheet" href="swagger-ui.css">
<link rel="stylesheet" href="page.css">
</head>
<body>
<div id="docs"></div>
<noscript>This page needs JavaScript. The same descriptions as data: <a href="../openapi.json">openapi.json</a> and
<a href="../wallet-openapi.json">wallet-openapi.json</a>.</noscript>
<script src="swagger-ui-bundle.js"></script>
<script src="swagger-ui-standalone-preset.js"></script>
<script src="page.js"></script>
</body>
</html>
`;

// Swagger UI lets long words of a table run into the next column.
const PAGE_STYLE =
  'body { margin: 0; }\n.swagger-ui .markdown :is(th, td) { padding-right: 1.5em; white-space: normal; }\n';

// Swagger UI's own logo brings an inline style, which the policy above forbids. Without a
// validatorUrl it sends the address of the document to a public validator.
const PAGE_SCRIPT = `SwaggerUIBundle({
  urls: [
    { url: '../openapi.json', name: 'What games and operators call' },
    { url: '../wallet-openapi.json', name: "What the server calls: the operator's wallet" },
  ],
  dom_id: '#docs',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  plugins: [{ components: { Logo: () => null } }],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/**
 * `/openapi.json` is the API of this server, `/wallet-openapi.json` the API of a wallet.
 * `/docs/api` shows both as a page to read and to try.
 */
export function docsRouter(): Router {
  const router = Router();
  for (const file of DOCUMENTS) {
    router.get(`/${file}`, (_request, response) =>
      response.sendFile(file, { root: PACKAGE_FOLDER, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } }),
    );
  }
  router.get('/docs/api', sendPage);
  router.get('/docs/page.css', sendText('text/css', PAGE_STYLE));
  router.get('/docs/page.js', sendText('text/javascript', PAGE_SCRIPT));
  for (const file of SWAGGER_FILES) {
    router.get(`/docs/${file}`, (_request, response) =>
      response.sendFile(file, { root: SWAGGER_FOLDER, maxAge: '1h' }),
    );
  }
  return router;
}

/**
 * `/docs` is the site with all documents when it is served, else the page of the API. The pages of
 * the site have scripts, so its policy allows them; nothing on it comes from a client.
 */
export function docsSiteRouter({ isServed }: { isServed: boolean }): Router {
  const router = Router();
  if (isServed)
    router.use('/docs', sitePolicy, express.static(SITE_FOLDER, { extensions: ['html'] }), beingBuilt('docs'));
  else router.get('/docs', (request, response) => response.redirect(request.path.endsWith('/') ? 'api' : 'docs/api'));
  return router;
}

const sitePolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', SITE_POLICY);
  next();
};

const sendPage: RequestHandler = (request, response) => {
  // Below "/docs/api/" the relative addresses of the page would lead nowhere.
  if (request.path.endsWith('/')) {
    response.redirect(308, '../api');
    return;
  }
  response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY).type('html').send(PAGE);
};

function sendText(contentType: string, text: string): RequestHandler {
  return (_request, response) => {
    response.set('Cache-Control', 'no-cache').type(contentType).send(text);
  };
}
