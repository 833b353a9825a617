import { rm, writeFile } from 'node:fs/promises';
import { askNodes } from '../../../src/lab/install/watchInstall.ts';
import type { startPair } from '../failover/pair.ts';
import type { startSingle } from '../failover/single.ts';
import type { Bound, Fault } from './proveFault.ts';
import type { Stage } from './stage.ts';

export type PairStage = Stage & { pair: Awaited<ReturnType<typeof startPair>> };
export type SingleStage = Stage & { single: Awaited<ReturnType<typeof startSingle>> };

const MINUTE = 60;
const DAY_SECONDS = 86_400;
/** A node reads what it reports about the database this often, and a probe takes time. */
const READ_SECONDS = 15;
/** A node compares the clocks once a minute. */
const CLOCK_SECONDS = 65;
/** The time-out of the operator's wallet. */
const WALLET_SECONDS = 2;
/** A play waits this long for the database. */
const PLAY_SECONDS = 10;
/** A node notices within this time that its database is gone. */
const LOST_SECONDS = 10;
/** A node folds completed rounds every 10 seconds, and then checks the RTP. */
const FOLD_SECONDS = 15;
const COMMIT_MS = 400;
const CLOCK_OFFSET_SECONDS = 5;

/**
 * Half of the plays fail at least, and 0.72 % of the plays of an hour may: the first burn rate
 * fires after half a minute. The rest is for a second of it in a window that the speed has made
 * short.
 */
const FAILING: Bound = { fixed: 10, rule: MINUTE };

/** Faults that need a primary and a synchronous standby. */
export const PAIR_FAULTS: Readonly<Record<string, Fault<PairStage>>> = {
  'wallet-hangs': {
    says: 'the wallet of an operator hangs',
    alerts: {
      RoundhouseWalletFailing: { fixed: WALLET_SECONDS, rule: 2 * MINUTE },
      RoundhousePlaysFailing: FAILING,
      RoundhouseMoneyUnsettled: { fixed: READ_SECONDS, rule: 12 * MINUTE },
    },
    // The server retries a wallet transaction that is a minute old each minute, and one that is ten
    // minutes old each ten.
    resolves: { fixed: 2 * MINUTE, rule: 15 * MINUTE },
    async run(stage, { fired }) {
      await stage.setWalletFaults({ faults: [{ kind: 'delay', delayMs: 60_000, share: 1, seconds: DAY_SECONDS }] });
      await fired('RoundhouseWalletFailing', 'RoundhousePlaysFailing', 'RoundhouseMoneyUnsettled');
      await stage.setWalletFaults({ faults: [] });
    },
  },
  'wallet-refuses': {
    says: 'the wallet of an operator refuses every debit',
    alerts: {
      // It refuses most of the debits of 5 minutes after half of them.
      RoundhouseWalletRefusing: { fixed: 0, rule: 5 * MINUTE },
      RoundhousePlaysFailing: FAILING,
    },
    async run(stage, { fired }) {
      const fault = { kind: 'error', error: 'ERR_GE', path: '/debit', share: 1, seconds: DAY_SECONDS } as const;
      await stage.setWalletFaults({ faults: [fault] });
      await fired('RoundhouseWalletRefusing', 'RoundhousePlaysFailing');
      await stage.setWalletFaults({ faults: [] });
    },
  },
  'primary-killed': {
    says: 'the primary of the database is killed; its standby is promoted after a minute',
    alerts: {
      RoundhouseDatabaseAway: { fixed: LOST_SECONDS, rule: MINUTE },
      RoundhousePlaysFailing: { fixed: LOST_SECONDS + PLAY_SECONDS, rule: MINUTE },
      RoundhouseDatabaseChanged: { fixed: LOST_SECONDS, rule: 0 },
      RoundhouseReplicationNotSynchronous: { fixed: READ_SECONDS, rule: 2 * MINUTE },
    },
    // A change is news for a quarter of an hour.
    resolves: { fixed: READ_SECONDS, rule: 16 * MINUTE },
    async run({ pair }, { fired, fromNow }) {
      await pair.fail('kill');
      await fired('RoundhouseDatabaseAway', 'RoundhousePlaysFailing');
      await pair.promote();
      fromNow('RoundhouseDatabaseChanged', 'RoundhouseReplicationNotSynchronous');
      await fired('RoundhouseDatabaseChanged', 'RoundhouseReplicationNotSynchronous');
      await pair.rebuild();
    },
  },
  'rtp-wrong': {
    says: 'a game pays a quarter of what its published table says',
    alerts: { RoundhouseRtpAlarm: { fixed: FOLD_SECONDS + READ_SECONDS, rule: 0 } },
    async run({ db }, { fired }) {
      const sums = (factor: string) =>
        db.$executeRawUnsafe(
          `UPDATE game_modes SET payout_sum = payout_sum ${factor}, payout_squares = payout_squares ${factor},
             payout_cubes = payout_cubes ${factor} WHERE mode = 'BASE'`,
        );
      await sums('* 4');
      // The hourly check is due.
      await db.$executeRaw`UPDATE rtp_checks SET checked_at = checked_at - interval '1 hour'`;
      await fired('RoundhouseRtpAlarm');
      await sums('/ 4');
      await db.$executeRaw`DELETE FROM rtp_alarms`;
    },
  },
  'node-killed': {
    says: 'one of two nodes is killed',
    alerts: { RoundhouseNodeDown: { fixed: 0, rule: MINUTE } },
    async run({ nodes }, { fired }) {
      await nodes[1]?.kill();
      await fired('RoundhouseNodeDown');
      await nodes[1]?.restart();
    },
  },
  'clock-off': {
    says: `the clock of one node is ${CLOCK_OFFSET_SECONDS} s ahead`,
    alerts: { RoundhouseClockOffset: { fixed: CLOCK_SECONDS, rule: 5 * MINUTE } },
    resolves: { fixed: CLOCK_SECONDS, rule: MINUTE },
    async run(stage, { fired }) {
      await stage.setClock(CLOCK_OFFSET_SECONDS);
      await fired('RoundhouseClockOffset');
      await stage.setClock(0);
    },
  },
  'event-edited': {
    says: 'a significant event is edited in the database',
    // A node that is in the middle of the log finds the event in its next round.
    alerts: { RoundhouseEventChainBroken: { fixed: 5, rule: 2 * MINUTE } },
    async run({ db }, { fired }) {
      const edit = (subject: string) =>
        db.$transaction([
          // Only a superuser can do this: it takes the triggers out that refuse the change.
          db.$executeRaw`SET LOCAL session_replication_role = replica`,
          db.$executeRawUnsafe(`UPDATE significant_events SET subject = ${subject} WHERE seq = 1`),
        ]);
      await edit("subject || ' edited'");
      await fired('RoundhouseEventChainBroken');
      await edit("replace(subject, ' edited', '')");
    },
  },
  'install-changed': {
    says: 'a file of the installation is added',
    alerts: { RoundhouseInstallNotVerified: { fixed: 30, rule: 0 } },
    async run({ folders: { games, data } }, { fired }) {
      const added = `${games}/sample-lines/math/added`;
      await writeFile(added, '');
      await askNodes(data);
      await fired('RoundhouseInstallNotVerified');
      await rm(added);
      await askNodes(data);
    },
  },
};

/** Faults that need one database on its own small disk. */
export const SINGLE_FAULTS: Readonly<Record<string, Fault<SingleStage>>> = {
  'commits-slow': {
    says: `each commit takes ${COMMIT_MS} ms`,
    alerts: {
      RoundhouseDatabaseSlow: { fixed: 10, rule: 10 * MINUTE },
      RoundhousePlaysSlow: { fixed: 10, rule: 15 * MINUTE },
    },
    async run({ single }, { fired, fromNow }) {
      await single.slowDown(COMMIT_MS, () => {
        fromNow('RoundhouseDatabaseSlow', 'RoundhousePlaysSlow');
        return fired('RoundhouseDatabaseSlow', 'RoundhousePlaysSlow');
      });
    },
  },
  'disk-full': {
    says: 'the disk of the database is full',
    alerts: {
      RoundhouseDatabaseDiskFull: { fixed: 10, rule: 0 },
      RoundhousePlaysFailing: FAILING,
    },
    async run({ single }, { fired }) {
      await single.fillDisk('tables', () => fired('RoundhouseDatabaseDiskFull', 'RoundhousePlaysFailing'));
    },
  },
};
