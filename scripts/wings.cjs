// The wings of the server: folders of apps/server/src, and of apps/server/test. Each may import
// itself and the wings named here. .dependency-cruiser.cjs makes one rule of each line, and
// wings.test.mjs compares the lines with the folders.
const GROUND = ['ledger', 'store', 'base'];
const PLAYED = ['rounds', 'watch', ...GROUND];
const ASKING = ['staff', 'lab', 'local', 'operators'];

/** The wings, from the top to the bottom, each with those that it may import. */
const WINGS = {
  cli: ['node', ...ASKING, 'cells', 'router', ...PLAYED],
  node: [...ASKING, 'cells', ...PLAYED],
  staff: ['operators', ...PLAYED],
  lab: ['operators', ...PLAYED],
  local: ['operators', ...PLAYED],
  operators: PLAYED,
  rounds: ['watch', ...GROUND],
  cells: GROUND,
  watch: GROUND,
  router: ['base'],
  ledger: ['store', 'base'],
  store: ['base'],
  base: [],
};

module.exports = { WINGS };
