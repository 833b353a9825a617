export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element #${id}`);
  return found;
}

/** An element with properties and children. Text is always text, never markup, because book events are not ours. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A line that opens; what is inside is made when it first opens, since a book may have hundreds of events. */
export function expandable(summary, makeContent) {
  const details = element('details', {}, element('summary', {}, ...summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(makeContent());
  });
  return details;
}
