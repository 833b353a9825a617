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

/** Shows an instant in UTC (the head of the page says so), or a dash; the tooltip is local time. */
export function Time({ at, withLocal = false, isExact = false }: Props) {
  if (!at) return <span>–</span>;
  const local = localText(at);
  return (
    <time className={classes.time} dateTime={at} title={`UTC. Local: ${local}`}>
      {utcText(at, { isExact })}
      {withLocal && !local.startsWith(utcText(at)) && <span className={classes.local}>{local}</span>}
    </time>
  );
}
