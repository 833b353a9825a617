import path from 'node:path';
import { cancel, group, intro, select, text } from '@clack/prompts';
import { checkGameID, checkTitle, type NameOutcome, packageNameOf, titleOf } from './names.ts';
import { type Options, TEMPLATES, type TemplateName } from './options.ts';
import { DEFAULT_FOLDER, DEFAULT_TEMPLATE, folderIssue } from './plan.ts';

/** Thrown when you press Ctrl+C at a question. */
export class Cancelled extends Error {}

/** Asks for what the options leave open. */
export async function askForRest(options: Options, workingFolder: string): Promise<Options> {
  intro('A new game for Roundhouse');
  const folderOf = (answer: string | undefined) => path.resolve(workingFolder, answer || DEFAULT_FOLDER);
  const packageOf = (answer: string | undefined): string => {
    const outcome = packageNameOf(path.basename(folderOf(answer)));
    return outcome.ok ? outcome.name : '';
  };
  const folder = async () => {
    return (
      options.folder ??
      text({
        message: 'In which folder?',
        placeholder: DEFAULT_FOLDER,
        defaultValue: DEFAULT_FOLDER,
        validate: (answer) => folderIssue(folderOf(answer)) ?? issueOf(packageNameOf(path.basename(folderOf(answer)))),
      })
    );
  };
  const answers = await group(
    {
      folder,
      name: async ({ results }) => {
        if (options.name !== undefined) return options.name;
        const title = titleOf(packageOf(results.folder));
        const validate = (answer: string | undefined) => issueOf(checkTitle(answer || title));
        return text({ message: 'What do players call it?', placeholder: title, defaultValue: title, validate });
      },
      id: async ({ results }) => {
        if (options.id !== undefined) return options.id;
        const id = packageOf(results.folder).slice(0, 64);
        const validate = (answer: string | undefined) => issueOf(checkGameID(answer || id));
        return text({ message: 'Its id in launch URLs?', placeholder: id, defaultValue: id, validate });
      },
      template: async () =>
        options.template ??
        select<TemplateName>({
          message: 'Which template?',
          initialValue: DEFAULT_TEMPLATE,
          options: (Object.keys(TEMPLATES) as TemplateName[]).map((value) => ({ value, hint: TEMPLATES[value] })),
        }),
    },
    {
      onCancel: () => {
        cancel('Nothing was written.');
        throw new Cancelled();
      },
    },
  );
  return { ...options, ...(answers as Required<Pick<Options, 'folder' | 'name' | 'id' | 'template'>>) };
}

function issueOf(outcome: NameOutcome): string | undefined {
  return outcome.ok ? undefined : outcome.reason;
}
