// Performs the steps of a Dockerfile on this machine: each stage has a folder that stands for the root of its file system.
import { spawn } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { copyFolder, copyFromContext } from './buildContext.mjs';

/**
 * Performs stages in their order and answers the last one's image: `{root, env, workdir, user, entrypoint, cmd, healthcheck}`. A step that
 * is neither known here nor excused by its text throws. `performed` takes the text of each step that was performed.
 */
export async function performStages(stages, options) {
  const { images, workFolder } = options;
  for (const stage of stages) {
    const parent = images.get(stage.from);
    // Stages on top of one that has made files share its folder, since they only add to it; on top of a bare one they begin anew.
    const root = parent?.hasFiles ? parent.root : path.join(workFolder, stage.name);
    const image = { env: {}, workdir: '/', user: 'root', hasFiles: false, ...parent, root };
    mkdirSync(root, { recursive: true });
    for (const step of stage.steps) await perform(step, image, options);
    images.set(stage.name, image);
  }
  return images.get(stages.at(-1).name);
}

async function perform(step, image, options) {
  const { excused, performed, images } = options;
  if (step.keyword === 'FROM' && images.has(step.args.split(' ')[0])) return void performed.push(step.text);
  if (excused.has(step.text)) return;
  const flags = step.flags.filter((flag) => !excused.has(`${step.keyword} ${flag}`));
  const work = STEPS[step.keyword];
  if (work === undefined) throw new Error(`The test cannot perform this step, and does not list it: ${step.text}`);
  await work({ ...step, flags }, image, options);
  performed.push(step.text);
}

const STEPS = {
  ENV({ args }, image) {
    if (/["'\\$]/.test(args)) throw new Error(`Only plain NAME=value pairs are understood here, not ${args}`);
    image.env = { ...image.env, ...Object.fromEntries(args.split(/\s+/).map((pair) => pair.split('=', 2))) };
  },
  WORKDIR({ args }, image) {
    image.workdir = path.posix.resolve(image.workdir, args);
    mkdirSync(onHost(image, '.'), { recursive: true });
    image.hasFiles = true;
  },
  COPY: copy,
  async RUN({ args, flags, text }, image, { runEnv }) {
    allow(flags, [], text);
    // As in a container, whatever the mask of whoever runs the test.
    const shell = ['-c', 'umask 022; exec /bin/sh -c "$0"', args];
    const { code, output } = await run('/bin/sh', shell, {
      cwd: onHost(image, '.'),
      env: { ...runEnv(), ...image.env },
    });
    if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${output}`);
  },
  USER({ args }, image) {
    image.user = args;
  },
  HEALTHCHECK({ args, text, flags }, image) {
    allow(flags, ['--interval', '--timeout', '--start-period'], text);
    image.healthcheck = JSON.parse(args.replace(/^CMD\s+/, ''));
  },
  ENTRYPOINT({ args }, image) {
    image.entrypoint = JSON.parse(args);
    image.cmd = [];
  },
  CMD({ args }, image) {
    image.cmd = JSON.parse(args);
  },
};

function copy({ args, flags, text }, image, { context, images, owner }) {
  allow(flags, ['--from', '--chown'], text);
  const [source, target, ...more] = args.split(/\s+/);
  if (more.length > 0) throw new Error(`Only one source is understood here: ${text}`);
  const destination = onHost(image, target) + (target.endsWith('/') ? '/' : '');
  mkdirSync(target.endsWith('/') ? destination : path.dirname(destination), { recursive: true });
  const from = images.get(flagValue(flags, '--from'));
  if (from === undefined) copyFromContext(context, source, destination);
  else if (statSync(onHost(from, source)).isDirectory()) copyFolder(onHost(from, source), destination);
  else throw new Error(`Only folders are copied from another stage here: ${text}`);
  if (flagValue(flags, '--chown') !== undefined && owner !== undefined) chownAll(destination, owner);
}

function chownAll(entry, { uid, gid }) {
  chownSync(entry, uid, gid);
  if (!lstatSync(entry).isDirectory()) return;
  for (const name of readdirSync(entry)) chownAll(path.join(entry, name), { uid, gid });
}

/** Where a path of the container lies here; a relative one is below the working folder. */
export function onHost(image, containerPath) {
  return path.join(image.root, path.posix.resolve(image.workdir, containerPath));
}

/** The environment that an image gives a process, its paths as they are here. */
export function environmentOf(image) {
  const here = ([name, value]) => [
    name,
    value.startsWith('/') && existsSync(onHost(image, value)) ? onHost(image, value) : value,
  ];
  return Object.fromEntries(Object.entries(image.env).map(here));
}

/** Runs a program to its end; both its outputs as they came. */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

function allow(flags, known, text) {
  const wrong = flags.find((flag) => !known.some((name) => flag.startsWith(`${name}=`)));
  if (wrong !== undefined) throw new Error(`The test does not know ${wrong}, and does not list it: ${text}`);
}

function flagValue(flags, name) {
  return flags.find((flag) => flag.startsWith(`${name}=`))?.slice(name.length + 1);
}
