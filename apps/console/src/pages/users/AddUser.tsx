import { Modal, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ROLES, type Role } from '@roundhouse/contract/admin-routes';
import { useAction } from '../../api.ts';
import { FormButtons } from '../../components/FormButtons.tsx';
import { Picker } from '../../components/Picker.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { useOperators } from '../../lib/choices.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import type { NewLink } from './LinkModal.tsx';
import { ROLE_TEXTS } from './roleTexts.ts';

type Props = {
  /** An operator's administrator adds only that operator's users. */
  ownOperator: string | null;
  onClose: () => void;
  onAdded: (link: NewLink) => void;
};

/** Adds a user. The response has the link to set a password. */
export function AddUser({ ownOperator, onClose, onAdded }: Props) {
  const add = useAction('addUser', { refreshes: ['listUsers'] });
  const operators = useOperators();
  const form = useForm({
    initialValues: { email: '', name: '', role: 'viewer' as Role, operator: ownOperator ?? '' },
  });
  const { failure, pending, run } = useSubmit(Object.keys(form.values), form.setErrors);
  const submit = form.onSubmit(({ operator, ...values }) =>
    run('add', async () => {
      const outcome = await add.mutateAsync({ body: { ...values, operator: operator || null } });
      if (outcome.kind === 'done') onAdded({ email: outcome.body.user.email, link: outcome.body.link });
      else onClose();
    }),
  );
  return (
    <Modal opened onClose={onClose} title="Add a user" centered>
      <SubmitForm onSubmit={submit} failure={failure}>
        <TextInput
          label="Email"
          type="email"
          required
          data-autofocus
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <TextInput label="Name" required maxLength={100} {...form.getInputProps('name')} />
        <Select
          label="Role"
          description={ROLE_TEXTS[form.values.role]}
          data={ROLES.map((value) => ({ value, label: wordsOf(value) }))}
          allowDeselect={false}
          {...form.getInputProps('role')}
        />
        {ownOperator === null && (
          <Picker
            label="Operator"
            description="The user sees only this operator. Empty: a user of the server, who sees everything."
            data={operators}
            clearable
            {...form.getInputProps('operator')}
          />
        )}
        <FormButtons label="Add the user" onCancel={onClose} isPending={pending !== undefined} />
      </SubmitForm>
    </Modal>
  );
}
