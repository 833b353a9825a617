import type { ReactNode } from 'react';
import { PathLink } from '../../components/PathLink.tsx';
import classes from './Overview.module.css';

type Props = {
  label: string;
  value: ReactNode;
  detail?: ReactNode;
  /** A tile with details leads to their page. */
  to?: string;
  /** Something is wrong. */
  isBad?: boolean;
};

/** Shows one number. */
export function Tile({ label, value, detail, to, isBad = false }: Props) {
  return (
    <div className={classes.tile} data-bad={isBad || undefined}>
      <dt>{to === undefined ? label : <PathLink to={to}>{label}</PathLink>}</dt>
      <dd>
        <span className={classes.value}>{value}</span>
        {detail !== undefined && <span className={classes.detail}>{detail}</span>}
      </dd>
    </div>
  );
}
