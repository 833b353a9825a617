import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identifies a process. Its number is not enough: after a restart of the machine or the container
 * another process soon has it.
 */
export type ProcessIdentity = {
  pid: number;
  /**
   * The time at which the process began, as the system says it. Windows does not say it, and the
   * text is empty.
   */
  began: string;
};

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, began: beganAt(process.pid) ?? '' };
}

/** Returns whether the process still runs. */
export function isStillRunning({ pid, began }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return beganAt(pid) === began;
}

function beganAt(pid: number): string | undefined {
  if (process.platform === 'win32') return '';
  return process.platform === 'linux' ? beganOnLinux(pid) : beganByPs(pid);
}

function beganOnLinux(pid: number): string | undefined {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name in brackets may contain spaces and brackets, so the fields are counted from its end;
    // proc(5): state is 3, starttime 22.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie does not run: it only waits for its parent.
    return fields[0] === 'Z' ? undefined : `${bootId}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function beganByPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
