// The wings of the server: folders of apps/server/src, and of apps/server/test. Each may import
// itself and the wings named here. .dependency-cruiser.cjs makes one rule of each line, and
// wings.test.mjs compares the lines with the folders.
const GROUND = ['ledger', 'store', 'base'];
const PLAYED = ['rounds', 'watch', ...GROUND];
const ASKING = ['staff', 'lab', 'local', 'operators'];

/** From the top to the bottom. */
const WINGS = {
  cli: ['node', ...ASKING, 'cells', 'router', ...PLAYED, 'fleet'],
  node: [...ASKING, 'cells', ...PLAYED, 'fleet'],
  staff: ['operators', ...PLAYED, 'fleet'],
  lab: ['operators', ...PLAYED, 'fleet'],
  local: ['operators', ...PLAYED, 'fleet'],
  operators: [...PLAYED, 'fleet'],
  rounds: ['watch', ...GROUND, 'fleet'],
  cells: [...GROUND, 'fleet'],
  watch: [...GROUND, 'fleet'],
  router: ['base', 'fleet'],
  ledger: ['store', 'base', 'fleet'],
  store: ['base', 'fleet'],
  base: ['fleet'],
  fleet: [],
};

module.exports = { WINGS };
