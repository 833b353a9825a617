import { Button, Group, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ANY_CURRENCY, readAmount } from '../lib/money.ts';
import { utcInstant, utcText } from '../lib/time.ts';
import { DateInput } from './DateInput.tsx';
import { Picker } from './Picker.tsx';

export type Filter = {
  /** Its name in the URL and in the request. */
  name: string;
  label: string;
  /** A list of values; without it the filter is text, an amount, or has a calendar. */
  kind?: 'text' | 'amount' | 'date' | 'datetime-local';
  options?: readonly (string | { value: string; label: string })[];
  placeholder?: string;
  width?: number;
};

/** On a phone more filters are folded. */
const MOST_ON_PHONE = 2;

type Props = {
  filters: readonly Filter[];
  values: Readonly<Record<string, string | undefined>>;
  onChange: (changes: Record<string, string | undefined>) => void;
};

/** Shows the filters of a list. The URL has them, so a link keeps them. `/` moves to the first. */
export function FilterBar({ filters, values, onChange }: Props) {
  const bar = useRef<HTMLFormElement>(null);
  const focusFirst = () => bar.current?.querySelector('input')?.focus();
  // On some keyboards the slash needs Shift.
  useHotkeys([
    ['/', focusFirst],
    ['shift+/', focusFirst],
  ]);
  const [isOpen, setOpen] = useState(false);
  const used = filters.filter(({ name }) => values[name] !== undefined).length;
  const isFolded = filters.length > MOST_ON_PHONE && !isOpen;
  return (
    <search aria-label="Filters">
      <form ref={bar} onSubmit={(event) => event.preventDefault()}>
        {filters.length > MOST_ON_PHONE && (
          <Button
            {...{ size: 'xs', variant: 'default', mb: 'sm', hiddenFrom: 'sm' }}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Filters ({used})
          </Button>
        )}
        <Group gap="xs" mb="sm" align="flex-start" {...(isFolded && { visibleFrom: 'sm' })}>
          {filters.map((filter) => (
            <FilterField key={filter.name} filter={filter} value={values[filter.name]} onChange={onChange} />
          ))}
          {used > 0 && (
            <Button
              size="xs"
              variant="subtle"
              mt={20}
              onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
            >
              Clear
            </Button>
          )}
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
      width={width ?? (kind === 'text' || kind === 'amount' ? 160 : 175)}
      onChange={onChange}
    />
  );
}

type TextProps = Pick<FieldProps, 'value' | 'onChange'> & {
  name: string;
  label: string;
  kind: NonNullable<Filter['kind']>;
  placeholder: string | undefined;
  width: number;
};

/** Takes effect on Enter or on leaving the field: otherwise each letter would send a request. */
function TextFilter({ name, label, kind, placeholder, width, value, onChange }: TextProps) {
  const [text, setText] = useState('');
  useEffect(() => setText(shownText(kind, value)), [kind, value]);
  const [isTyping, setTyping] = useState(false);
  const commit = (next: string) => {
    setTyping(false);
    if (!isWrong(kind, next) && next.trim() !== shownText(kind, value)) onChange({ [name]: next.trim() || undefined });
  };
  const field = {
    ...{ size: 'xs', label, value: text, w: width, maxLength: 300 },
    onBlur: () => commit(text),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') commit(text);
    },
  };
  if (kind === 'date' || kind === 'datetime-local') {
    return <DateInput {...field} kind={kind} onChange={setText} onPick={commit} />;
  }
  return (
    <TextInput
      {...field}
      placeholder={placeholder ?? ''}
      error={!isTyping && isWrong(kind, text) && 'Enter an amount like 12.50'}
      onChange={(event) => {
        setTyping(true);
        setText(event.currentTarget.value);
      }}
    />
  );
}

/** A wrong text stays in its field and is not searched for. */
function isWrong(kind: TextProps['kind'], text: string): boolean {
  if (kind === 'text' || text.trim() === '') return false;
  return (kind === 'amount' ? readAmount(text, ANY_CURRENCY) : utcInstant(text)) === undefined;
}

/** A link may have an instant. */
function shownText(kind: TextProps['kind'], value = ''): string {
  const at = kind === 'datetime-local' ? utcInstant(value) : undefined;
  return at === undefined ? value : utcText(at);
}
