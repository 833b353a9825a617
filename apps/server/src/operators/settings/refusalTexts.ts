import type { RotationRefusal } from '../../store/operators/operatorSecrets.ts';
import type { OperatorRefusal } from './changeOperator.ts';

/** `field` is the wrong setting of the wire. */
export type RefusalText = { field: string; text: string };

/** Says why an operator cannot be changed. Commands add what to do. */
export function refusalText(code: string, refusal: OperatorRefusal): RefusalText {
  switch (refusal.kind) {
    case 'taken':
      return { field: 'code', text: `There is an operator ${code}.` };
    case 'unknown':
      return { field: 'code', text: `There is no operator ${code}.` };
    case 'has_players':
      return {
        field: 'walletUrl',
        text: `Operator ${code} has players with accounts: its wallet cannot be changed from house to seamless or back. Make a new operator.`,
      };
    case 'dialect_of_players':
      return {
        field: 'dialect',
        text: `Operator ${code} has players with accounts: the dialect of its wallet cannot be changed. Make a new operator.`,
      };
    case 'dialect_without_wallet':
      return { field: 'walletUrl', text: 'A dialect needs a wallet: give its URL too.' };
    case 'completion_forbidden':
      return {
        field: 'completeRoundsAfterHours',
        text: `The dialect of operator ${code} does not let the server complete rounds.`,
      };
    case 'default_without_wallet':
      return {
        field: 'isDefault',
        text: `Operator ${code} has the house wallet, which cannot verify sessions. Give a wallet URL too.`,
      };
    case 'other_default':
      return { field: 'isDefault', text: `Operator ${refusal.code} is the default one.` };
  }
}

/** Says why a rotation of a secret cannot be begun, finished or cancelled. */
export function rotationRefusalText(code: string, refusal: RotationRefusal): string {
  const texts: Record<RotationRefusal, string> = {
    unknown: `There is no operator ${code}.`,
    no_secret: `Operator ${code} has no secret yet.`,
    under_way: `Operator ${code} has two secrets already: end that rotation, by finish or cancel.`,
    not_under_way: `No rotation is under way: operator ${code} has one secret.`,
  };
  return texts[refusal];
}
