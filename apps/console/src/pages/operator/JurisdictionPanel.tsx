import { Select, Stack, Text, Textarea } from '@mantine/core';
import type { AdminOperatorDetail, OperatorPresets } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { effectOf, type FieldEffect, valueText } from './jurisdictionEffect.ts';
import { readObject } from './operatorForm.ts';

/** Shows the rules of the jurisdiction, and applies a preset after showing its effect. */
export function JurisdictionPanel({ operator }: { operator: AdminOperatorDetail }) {
  const may = useMay()('changeOperator');
  const presets = useQuery(apiQuery('listPresets', {}));
  const items = Object.entries(operator.jurisdiction).map(([field, value]) => [
    wordsOf(field),
    valueText(value, field),
  ]);
  return (
    <Panel
      title="Jurisdiction"
      actions={
        may && (
          <Loaded query={presets} lines={1}>
            {(data) => <ApplyPreset operator={operator} presets={data} />}
          </Loaded>
        )
      }
    >
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          No rules beyond those of launches and the operator's wallet.
        </Text>
      ) : (
        <KeyValue items={Object.fromEntries(items)} />
      )}
    </Panel>
  );
}

type Props = { operator: AdminOperatorDetail; presets: OperatorPresets };

function ApplyPreset({ operator: { code, jurisdiction }, presets: { presets, comparedOn } }: Props) {
  const [name, setName] = useState<string | null>(null);
  const [text, setText] = useState('');
  const change = useAction('changeOperator', {
    refreshes: ['getOperator'],
    done: `The jurisdiction of ${code} is changed`,
  });
  const preset = presets.find((each) => each.name === name);
  const own = readObject(text);
  const effect = effectOf({ now: jurisdiction, preset, own: own ?? {} });
  const isAny = preset !== undefined || own !== undefined;
  return (
    <ConfirmAction
      label="Change jurisdiction"
      title={`Change the jurisdiction of ${code}?`}
      consequence="New sessions of all its players use these rules; a launch may be stricter. This replaces the stored rules."
      confirmLabel="Apply to new sessions"
      incomplete={isAny && own !== null ? undefined : 'Choose a preset, or enter overrides.'}
      onConfirm={() =>
        change.mutateAsync({
          params: { operator: code },
          body: { ...(preset && { jurisdictionPreset: preset.name }), ...(own && { jurisdiction: own }) },
        })
      }
      fields={['jurisdictionPreset', 'jurisdiction']}
    >
      {(issues) => (
        <Stack gap="sm">
          <Select
            label="Preset"
            data={presets.map((each) => ({ value: each.name, label: each.place }))}
            value={name}
            error={issues.jurisdictionPreset}
            onChange={setName}
            clearable
          />
          <Textarea
            label="Overrides (JSON)"
            description="They override the preset, for example {&quot;minimumRoundDuration&quot;:3000}"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={own === null ? 'This is not a JSON object.' : issues.jurisdiction}
            autosize
            spellCheck={false}
          />
          {isAny && (
            <DataTable<FieldEffect>
              label="Effect"
              columns={COLUMNS}
              rows={effect}
              rowKey={({ field }) => field}
              empty="No rules"
            />
          )}
          {preset?.notes.map((note) => (
            <Text key={note} size="xs" c="dimmed">
              {note}
            </Text>
          ))}
          {preset && (
            <Text size="xs" c="dimmed">
              Compared with the sources on {comparedOn}. This is not legal advice.
            </Text>
          )}
        </Stack>
      )}
    </ConfirmAction>
  );
}

const COLUMNS: readonly Column<FieldEffect>[] = [
  { id: 'field', header: 'Rule', cell: ({ field }) => wordsOf(field) },
  { id: 'now', header: 'Before', cell: ({ before, field }) => valueText(before, field) },
  {
    ...{ id: 'then', header: 'After' },
    cell: ({ before, after, field }) => (before === after ? valueText(after, field) : <b>{valueText(after, field)}</b>),
  },
  { id: 'source', header: 'Source', cell: ({ source }) => <span title={source}>{source}</span>, isCut: true },
];
