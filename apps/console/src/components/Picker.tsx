import { Select, type SelectProps } from '@mantine/core';

export type Choice = { value: string; label: string };

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  data: readonly (string | Choice)[];
  /** Empty: nothing is chosen. A value that the list lacks, from a link, is shown all the same. */
  value?: string;
  onChange?: (value: string) => void;
};

/** A list to choose from, with a search. */
export function Picker({ data, value = '', onChange, ...rest }: Props) {
  const isListed = value === '' || data.some((each) => (typeof each === 'string' ? each : each.value) === value);
  return (
    <Select
      searchable
      limit={200}
      nothingFoundMessage="No match"
      {...rest}
      data={isListed ? [...data] : [value, ...data]}
      value={value || null}
      onChange={(next) => onChange?.(next ?? '')}
    />
  );
}
