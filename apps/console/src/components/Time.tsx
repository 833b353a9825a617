import { localText, utcText } from '../lib/time.ts';
import classes from './Time.module.css';

type Props = {
  /** An ISO instant. */
  at: string | null | undefined;
  /** Shows the local time on a second line, not in the tooltip alone. */
  withLocal?: boolean;
  /** Shows milliseconds. */
  isExact?: boolean;
};

/** Shows an instant in UTC; the tooltip has the local time. A dash for null. */
export function Time({ at, withLocal = false, isExact = false }: Props) {
  if (!at) return <span>–</span>;
  const local = localText(at);
  return (
    <time className={classes.time} dateTime={at} title={`Local: ${local}`}>
      {utcText(at, { isExact })} <span className={classes.zone}>UTC</span>
      {withLocal && <span className={classes.local}>{local}</span>}
    </time>
  );
}
