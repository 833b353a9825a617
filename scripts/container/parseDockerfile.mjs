/**
 * The stages of a Dockerfile in their order: `{name, from, steps}`. A step is `{keyword, flags, args, text}`; its text is the whole of it
 * on one line, which names it in lists and messages.
 */
export function parseDockerfile(source) {
  const stages = [];
  for (const text of logicalLines(source)) {
    const step = parseStep(text);
    if (step.keyword === 'FROM') {
      const [from, , name] = step.args.split(' ');
      stages.push({ name, from, steps: [step] });
    } else stages.at(-1).steps.push(step);
  }
  return stages;
}

/** The stages that a target is made of, in the order in which they have to be performed. */
export function stagesOf(stages, target) {
  const find = (name) => stages.find((stage) => stage.name === name);
  const needed = new Set();
  const add = (stage) => {
    if (stage === undefined) return;
    add(find(stage.from));
    for (const { flags } of stage.steps) add(find(flags.find((flag) => flag.startsWith('--from='))?.slice(7)));
    needed.add(stage);
  };
  add(find(target));
  return [...needed];
}

// A comment may stand between the lines of one step.
function logicalLines(source) {
  const lines = source.split('\n').filter((line) => !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function parseStep(text) {
  const [, keyword, rest] = /^(\S+)\s+(.*)$/.exec(text);
  const [, flags] = /^((?:--\S+\s+)*)/.exec(rest);
  return { keyword, flags: flags.split(/\s+/).filter(Boolean), args: rest.slice(flags.length), text };
}
