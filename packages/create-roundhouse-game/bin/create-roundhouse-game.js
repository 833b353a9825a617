#!/usr/bin/env node
// The words here are ones that an old Node reads too, because it has to say that it is too old.
const wanted = [20, 19];
const running = process.versions.node.split('.').map(Number);
if (running[0] < wanted[0] || (running[0] === wanted[0] && running[1] < wanted[1])) {
  console.error(
    `create-roundhouse-game needs Node ${wanted.join('.')} or newer; this is ${process.versions.node}. Get one at https://nodejs.org`,
  );
  process.exitCode = 1;
} else {
  import('../dist/main.js').then(({ main }) => main(process.argv.slice(2), process.env.npm_config_user_agent));
}
