import { LAUNCH_ISSUE_MESSAGES } from '@roundhouse/contract/light';
import { describe, expect, it, vi } from 'vitest';
import {
  type AnyRgsError,
  BadRequestError,
  InsufficientFundsError,
  isRgsError,
  LaunchUrlError,
  LimitReachedError,
  MaintenanceError,
  NetworkError,
  NotAllowedHereError,
  RgsError,
  rgsErrorFrom,
  ServerError,
  SessionOverError,
} from './errors.ts';

const facts = { code: 'ERR_GEN', status: 500, requestId: 'r-1', retryable: true } as const;
const ERRORS: readonly AnyRgsError[] = [
  new SessionOverError('over', facts),
  new InsufficientFundsError('too little', facts),
  new LimitReachedError('limit', facts),
  new NotAllowedHereError('not here', facts),
  new BadRequestError('wrong', { betIssue: 'off-step' }),
  new BadRequestError('wrong', facts),
  new MaintenanceError('later', facts),
  new ServerError('broken', facts),
  new NetworkError('lost', { retryable: true, cause: new TypeError('failed to fetch') }),
  new LaunchUrlError('missing-session'),
];

describe.each(ERRORS.map((error) => [error.name, error] as const))('%s', (name, error) => {
  it('is an Error with a name, a kind and what the server said', () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(RgsError);
    expect(String(error)).toBe(`${name}: ${error.message}`);
    expect(isRgsError(error)).toBe(true);
  });

  it('crosses postMessage as plain data, and is made again', () => {
    const received = rgsErrorFrom(structuredClone(error.toJSON()));
    expect(received).toBeInstanceOf(error.constructor);
    expect(isRgsError(received)).toBe(true);
    expect(received?.toJSON()).toEqual(error.toJSON());
    expect(rgsErrorFrom(JSON.parse(JSON.stringify(error)))?.toJSON()).toEqual(error.toJSON());
  });
});

it('has a kind for each class, and no two the same', () => {
  const kinds = new Set(ERRORS.map(({ kind }) => kind));
  expect(kinds.size).toBe(new Set(ERRORS.map((error) => error.constructor)).size);
});

it('is known in another copy of the module, as in another frame, where instanceof fails', async () => {
  vi.resetModules();
  const other = await import('./errors.ts');
  const foreign = new other.NetworkError('lost');
  expect(foreign).not.toBeInstanceOf(NetworkError);
  expect(isRgsError(foreign)).toBe(true);
});

it('keeps the cause', () => {
  const cause = new TypeError('failed to fetch');
  const error = new NetworkError('lost', { cause });
  expect(error.cause).toBe(cause);
  expect(error.toJSON().cause).toBe('TypeError: failed to fetch');
  expect(Object.hasOwn(new NetworkError('lost'), 'cause')).toBe(false);
});

it('says of a launch URL what a player may be shown', () => {
  const error = new LaunchUrlError('missing-session');
  expect(error).toMatchObject({ issue: 'missing-session', message: LAUNCH_ISSUE_MESSAGES['missing-session'] });
});

it.each([null, undefined, 'text', 7, {}, new Error('other'), { kind: 'no-network' }])('%s is not one', (value) => {
  expect(isRgsError(value)).toBe(false);
});

it.each([null, 'text', {}, { kind: 'toString' }, { kind: 'launch-url' }, { kind: 'launch-url', issue: 'toString' }])(
  '%j is not the data of one',
  (value) => expect(rgsErrorFrom(value)).toBeUndefined(),
);
