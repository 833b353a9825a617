import type { ReactNode } from 'react';
import classes from './KeyValue.module.css';

type Props = {
  /** Undefined values are left out. */
  items: Readonly<Record<string, ReactNode | undefined>>;
};

/** Shows facts as names and values. */
export function KeyValue({ items }: Props) {
  return (
    <dl className={classes.list}>
      {Object.entries(items).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name} className={classes.item}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
