import { Command, Option } from 'commander';
import { type RotationFault, type RotationStep, rotateSecret } from '../ledger/queries/rotateSecret.ts';
import { StartError } from '../startError.ts';
import { makeSecret } from './makeSecret.ts';
import { addDatabaseOptions } from './options/options.ts';
import { type DatabaseChoice, withDatabase } from './withDatabase.ts';

export function rotateSecretCommand(): Command {
  return addDatabaseOptions(
    new Command('rotate-secret')
      .summary('exchange the secret of an operator, without a gap')
      .description(
        'Makes a new secret and shows it once. From then on both hold: calls of the operator may be signed with either, calls to it are signed ' +
          'with the old one. When the operator takes both, --finish lets the new one sign and drops the old one.',
      )
      .argument('<code>', 'the operator')
      .addOption(new Option('--finish', 'the new one signs, the old one is gone').conflicts('cancel'))
      .addOption(new Option('--cancel', 'the new one is gone')),
  ).action(async (code: string, options: DatabaseChoice & { finish?: boolean; cancel?: boolean }) => {
    const rotation = stepOf(options);
    const fault = await withDatabase(options, (db) => rotateSecret(db, code, rotation));
    if (fault !== undefined) throw new StartError(explainFault(code, fault));
    console.log(tell(code, rotation));
  });
}

function stepOf({ finish = false, cancel = false }: { finish?: boolean; cancel?: boolean }): RotationStep {
  if (finish) return { step: 'finish' };
  return cancel ? { step: 'cancel' } : { step: 'begin', secret: makeSecret() };
}

function tell(code: string, rotation: RotationStep): string {
  if (rotation.step === 'finish') return `Calls to ${code} are signed with the new secret. The old one is gone.`;
  if (rotation.step === 'cancel') return `The new secret of ${code} is gone. The old one stays.`;
  return [
    `New secret of ${code}, shown this once: ${rotation.secret}`,
    `Both secrets hold from now on; calls to ${code} are signed with the old one.`,
    `When ${code} takes both, run \`roundhouse operator rotate-secret ${code} --finish\`.`,
  ].join('\n');
}

function explainFault(code: string, fault: RotationFault): string {
  const texts: Record<RotationFault, string> = {
    unknown: `There is no operator ${code}.`,
    no_secret: `Operator ${code} has no secret yet. Give it one with \`roundhouse operator set ${code} --secret-file <file>\`.`,
    under_way: `Operator ${code} has two secrets already: end that rotation with --finish or --cancel.`,
    not_under_way: `No rotation is under way: operator ${code} has one secret.`,
  };
  return texts[fault];
}
