import { Button, Group, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Picker } from './Picker.tsx';

export type Filter = {
  /** Its name in the URL and in the request. */
  name: string;
  label: string;
  /** A list of values; without it the filter is text. `date` shows the browser's calendar. */
  kind?: 'text' | 'date' | 'datetime-local';
  options?: readonly (string | { value: string; label: string })[];
  placeholder?: string;
  width?: number;
};

type Props = {
  filters: readonly Filter[];
  /** The result of `useFilters`. */
  values: Readonly<Record<string, string | undefined>>;
  onChange: (changes: Record<string, string | undefined>) => void;
  children?: ReactNode;
};

/** Shows the filters of a list. The URL has them, so a link keeps them. `/` moves to the first. */
export function FilterBar({ filters, values, onChange, children }: Props) {
  const bar = useRef<HTMLFormElement>(null);
  const focusFirst = () => bar.current?.querySelector('input')?.focus();
  // On some keyboards the slash needs Shift.
  useHotkeys([
    ['/', focusFirst],
    ['shift+/', focusFirst],
  ]);
  const isAny = filters.some(({ name }) => values[name] !== undefined);
  return (
    <search aria-label="Filters">
      <form ref={bar} onSubmit={(event) => event.preventDefault()}>
        <Group gap="xs" mb="sm" align="flex-end">
          {filters.map((filter) => (
            <FilterField key={filter.name} filter={filter} value={values[filter.name]} onChange={onChange} />
          ))}
          {isAny && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
            >
              Clear
            </Button>
          )}
          {children}
        </Group>
      </form>
    </search>
  );
}

type FieldProps = { filter: Filter; value: string | undefined; onChange: Props['onChange'] };

function FilterField({ filter, value, onChange }: FieldProps) {
  const { name, label, kind = 'text', options, placeholder, width } = filter;
  if (options) {
    return (
      <Picker
        size="xs"
        label={label}
        placeholder={placeholder ?? 'Any'}
        data={options}
        value={value ?? ''}
        onChange={(next) => onChange({ [name]: next || undefined })}
        clearable
        w={width ?? 150}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
    );
  }
  return (
    <TextFilter
      {...{ name, label, kind, placeholder, value }}
      width={width ?? (kind === 'text' ? 160 : 190)}
      onChange={onChange}
    />
  );
}

type TextProps = Pick<FieldProps, 'value' | 'onChange'> & {
  name: string;
  label: string;
  kind: string;
  placeholder: string | undefined;
  width: number;
};

/** Takes effect on Enter or on leaving the field: otherwise each letter would send a request. */
function TextFilter({ name, label, kind, placeholder, width, value, onChange }: TextProps) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const commit = (next: string) => {
    if (next.trim() !== (value ?? '')) onChange({ [name]: next.trim() || undefined });
  };
  return (
    <TextInput
      size="xs"
      type={kind}
      label={label}
      placeholder={placeholder ?? ''}
      value={text}
      w={width}
      maxLength={300}
      onChange={(event) => {
        setText(event.currentTarget.value);
        // A calendar has no Enter.
        if (kind !== 'text') commit(event.currentTarget.value);
      }}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(text);
      }}
    />
  );
}
