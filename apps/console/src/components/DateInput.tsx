import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { utcInstant } from '../lib/time.ts';

const FORMATS = { date: 'YYYY-MM-DD', 'datetime-local': 'YYYY-MM-DD hh:mm' } as const;

type Props = Omit<TextInputProps, 'type' | 'value' | 'onChange'> & {
  kind: keyof typeof FORMATS;
  value?: string;
  onChange: (text: string) => void;
  /** The calendar calls it besides. */
  onPick?: (text: string) => void;
};

/** Takes a day or a time of UTC as an ISO text, typed or from the browser's calendar. */
export function DateInput({ kind, value = '', onChange, onPick, error, onFocus, onBlur, ...rest }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const at = utcInstant(value);
  const isWrong = !isTyping && value !== '' && at === undefined;
  const format = FORMATS[kind];
  return (
    <TextInput
      {...rest}
      value={value}
      placeholder={format}
      error={isWrong ? `Enter ${format}` : error}
      onChange={(event) => onChange(event.currentTarget.value)}
      onFocus={(event) => {
        setTyping(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyping(false);
        onBlur?.(event);
      }}
      rightSection={
        <>
          <VisuallyHidden aria-hidden>
            <input
              ref={calendar}
              type={kind}
              tabIndex={-1}
              value={at?.slice(0, format.length) ?? ''}
              onChange={(event) => {
                const text = event.currentTarget.value.replace('T', ' ');
                onChange(text);
                onPick?.(text);
              }}
            />
          </VisuallyHidden>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Calendar, in UTC"
            title="Days and times are UTC"
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={14} aria-hidden />
          </ActionIcon>
        </>
      }
    />
  );
}
