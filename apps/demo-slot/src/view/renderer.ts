import { WebGLRenderer } from 'pixi.js';

/** The browser gives no WebGL 2: the game cannot draw. */
class NoWebGlError extends Error {
  override readonly name = 'NoWebGlError';
}

/** A higher resolution is not visible, and at 3 it has more than twice the pixels. */
const HIGHEST_RESOLUTION = 2;

/** Pixi's Application is left out: its plug-ins and other renderers would enlarge the download. */
export async function createRenderer(host: HTMLElement): Promise<WebGLRenderer> {
  const canvas = document.createElement('canvas');
  // Created here, so that a missing WebGL differs from a bug. The renderer uses the same context.
  const context = canvas.getContext('webgl2', {
    alpha: false,
    // Every edge is a soft edge of a picture or a shader, so multisampling would change nothing.
    antialias: false,
    stencil: true,
    powerPreference: 'high-performance',
  });
  if (context === null) throw new NoWebGlError('This browser gives no WebGL 2 context.');
  const renderer = new WebGLRenderer();
  await renderer.init({
    canvas,
    context,
    width: Math.max(1, host.clientWidth),
    height: Math.max(1, host.clientHeight),
    resolution: Math.min(window.devicePixelRatio || 1, HIGHEST_RESOLUTION),
    autoDensity: true,
    antialias: false,
    backgroundColor: 0x070b1f,
    hello: false,
    manageImports: false,
  });
  // Almost everything is in one sheet, and a shader with few textures to choose from is faster,
  // mainly on phones. With one, Pixi would draw each sprite alone after the first change of
  // blending.
  renderer.limits.maxBatchableTextures = 2;
  canvas.setAttribute('aria-hidden', 'true');
  canvas.style.display = 'block';
  host.appendChild(canvas);
  return renderer;
}

/** Returns whether the browser draws without a graphics card: then every pixel counts. */
export function drawsInSoftware(renderer: WebGLRenderer): boolean {
  const { gl } = renderer;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
