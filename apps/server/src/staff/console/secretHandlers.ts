import type { adminContract } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import type { Handlers } from '../../base/http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { makeSecret } from '../../base/seal.ts';
import { rotationRefusalText } from '../../operators/settings/refusalTexts.ts';
import {
  lastSecretsChange,
  type RotationRefusal,
  type RotationStep,
  rotateSecret,
} from '../../store/operators/operatorSecrets.ts';
import { findOperator } from '../../store/operators/operators.ts';
import type { AdminDeps } from './adminDeps.ts';
import { NO_SUCH_OPERATOR, secretsOnWire } from './operatorHandlers.ts';
import { pathScope } from './operatorScope.ts';

type SecretHandlers = Pick<Handlers<typeof adminContract>, 'rotateSecret' | 'finishRotation' | 'cancelRotation'>;

/**
 * Exchanges the secret of an operator. One response has the new secret, and nothing else has it.
 */
export function secretHandlers({ db }: AdminDeps): SecretHandlers {
  const rotate = async (res: Response, code: string, step: RotationStep) => {
    if ((await pathScope(db, res, code)) === undefined) return notFoundResponse(NO_SUCH_OPERATOR);
    const refusal = await rotateSecret(db, code, step);
    if (refusal !== undefined) return refused(code, refusal);
    const record = await findOperator(db, code);
    if (record === undefined) return notFoundResponse(NO_SUCH_OPERATOR);
    return ok({ secrets: secretsOnWire(record) });
  };
  const refused = async (code: string, refusal: RotationRefusal) => {
    const text = rotationRefusalText(code, refusal);
    if (refusal === 'unknown') return notFoundResponse(text);
    const { body } = errorResponse('ERR_VAL', text);
    if (refusal === 'no_secret') return { status: 400 as const, body };
    // Somebody else has begun, finished or cancelled it since the page was read.
    const change = await lastSecretsChange(db, code);
    const by = { by: change?.actor ?? null, at: change?.at.toISOString() ?? null };
    return { status: 409 as const, body: { ...body, ...by } };
  };
  return {
    rotateSecret: async ({ params, res }) => {
      const newSecret = makeSecret();
      const response = await rotate(res, params.operator, { step: 'begin', secret: newSecret });
      return response.status === 200 ? ok({ ...response.body, newSecret }) : response;
    },
    finishRotation: ({ params, res }) => rotate(res, params.operator, { step: 'finish' }),
    cancelRotation: ({ params, res }) => rotate(res, params.operator, { step: 'cancel' }),
  };
}
