import { Modal, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AdminOperatorDetail, OperatorSettingsInput } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiOutput, apiQuery, useAction } from '../../api.ts';
import { JsonDiff } from '../../components/Changes.tsx';
import { FormButtons, UNCHANGED } from '../../components/FormButtons.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { useSubmit } from '../../lib/useSubmit.ts';
import { OperatorFields } from './OperatorFields.tsx';
import { changesOf, valuesOf } from './operatorForm.ts';

type Saved = ApiOutput<'changeOperator'>;

type Props = {
  /** The operator to change. Without it the form adds one. */
  operator?: AdminOperatorDetail;
  onClose: () => void;
  onSaved: (saved: Saved) => void;
};

const REFRESHES = ['listOperators', 'getOperator'] as const;

/** The form shows what will change after the server has judged the settings. */
export function OperatorForm({ operator, onClose, onSaved }: Props) {
  const before = valuesOf(operator);
  const form = useForm({ initialValues: before });
  const choices = useQuery(apiQuery('listPresets', {}));
  const judge = useAction('judgeOperator');
  const add = useAction('addOperator', { refreshes: REFRESHES, done: 'The operator is added' });
  const change = useAction('changeOperator', { refreshes: REFRESHES, done: 'The settings are saved' });
  const [reviewed, setReviewed] = useState<OperatorSettingsInput>();
  // Each issue appears at its field, and the form keeps what was typed.
  const { failure, pending, run } = useSubmit(Object.keys(before), (issues) => {
    form.setErrors(issues);
    setReviewed(undefined);
  });

  const review = form.onSubmit((values) => {
    const changes = changesOf(before, values);
    if (!changes.ok) return form.setFieldError('dialectSettings', changes.message);
    return run('review', async () => {
      const { settings } = changes;
      await judge.mutateAsync({ body: { ...settings, code: values.code, isNew: operator === undefined } });
      setReviewed(settings);
    });
  });
  const save = () =>
    run('save', async () => {
      if (reviewed === undefined) return;
      const outcome = operator
        ? await change.mutateAsync({ params: { operator: operator.code }, body: reviewed })
        : await add.mutateAsync({ body: { ...reviewed, code: form.values.code } });
      if (outcome.kind === 'done') onSaved(outcome.body);
      else onClose();
    });

  const title = operator ? `Change ${operator.code}` : 'Add an operator';
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <div hidden={reviewed !== undefined}>
        <SubmitForm onSubmit={review} failure={failure}>
          <Loaded query={choices}>
            {(data) => <OperatorFields form={form} choices={data} {...(operator && { operator })} />}
          </Loaded>
          <FormButtons
            label="Review the changes"
            onCancel={onClose}
            isPending={pending !== undefined}
            whyNot={form.isDirty() ? undefined : UNCHANGED}
          />
        </SubmitForm>
      </div>
      {reviewed !== undefined && (
        <SubmitForm onSubmit={save} failure={failure}>
          <Text size="sm">
            {operator
              ? 'New sessions use these settings. Every node has them within a second.'
              : 'The operator can launch games as soon as you save.'}
          </Text>
          <JsonDiff
            before={partOf(operator, reviewed)}
            after={{ ...(operator === undefined && { code: form.values.code }), ...withoutKeys(reviewed) }}
          />
          <FormButtons
            label={operator ? `Save ${operator.code}` : 'Add the operator'}
            onCancel={() => setReviewed(undefined)}
            cancelLabel="Back"
            isPending={pending !== undefined}
            whyNot={Object.keys(reviewed).length === 0 && operator ? UNCHANGED : undefined}
          />
        </SubmitForm>
      )}
    </Modal>
  );
}

/** The current values of the settings that change. */
function partOf(operator: AdminOperatorDetail | undefined, changes: OperatorSettingsInput): object {
  const names = Object.keys(changes) as (keyof AdminOperatorDetail)[];
  return Object.fromEntries(names.map((name) => [name, operator?.[name]]));
}

/** Dialect settings are secret: the review says only that they change. */
function withoutKeys({ dialectSettings, ...shown }: OperatorSettingsInput): object {
  return dialectSettings === undefined ? shown : { ...shown, dialectSettings: 'new settings' };
}
