import { html } from '../../base/htmlText.ts';
import { COMPARED_ON } from '../../operators/jurisdictions/presets.ts';
import type { PresetCheck } from './jurisdictionChecks.ts';
import { table } from './sheetParts.ts';

/** Shows each preset's demands of a place of play, and what of that these files show. */
export function jurisdictionsSection(checks: readonly PresetCheck[]): string {
  const rows = checks.map((check) => [
    `${html(check.place.replace(/^./, (letter) => letter.toUpperCase()))}<br><small>${html(check.name)}</small>`,
    verdictOf(check),
    list([...check.failed, ...check.met, ...check.remarks]),
    list(check.server),
    list(check.frontend),
  ]);
  return `<h2>Jurisdictions</h2>
${table(['place', 'preset satisfied', 'by figures and settings', 'enforced by the server', 'not checked: the front end has to obey'], rows, 'dense')}
<p class="note">By the presets of Roundhouse, compared with their sources on ${COMPARED_ON}; no legal advice. The sheet does not see what the front end
shows and allows, what the operator has to do, certificates, or rules that a preset does not hold. <b>roundhouse jurisdictions</b> prints each rule
with its source and the notes for operators.</p>`;
}

function verdictOf({ failed, frontend }: PresetCheck): string {
  if (failed.length > 0) return '<span class="bad">no</span>';
  return `<span class="good">yes</span>${frontend.length === 0 ? '' : '<br><small class="whole">as far as checked</small>'}`;
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? '–' : html(texts.join('; '));
}
