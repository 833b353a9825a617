import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../apps/server/bin/roundhouse.js', import.meta.url));
const TIMEOUT_MS = 150_000;

type OperatorWish = {
  jurisdiction?: Readonly<Record<string, boolean | number>>;
  blockCountries?: string;
};
type SessionWish = { language?: string; country?: string; units?: string };

/** The `roundhouse` command, run while the stack runs. */
export class Roundhouse {
  readonly #dataFolder: string;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  /** A new operator with one player, so that its settings disturb no other test. */
  async newOperator({ jurisdiction, blockCountries }: OperatorWish = {}): Promise<Operator> {
    const code = `operator-${randomUUID()}`;
    await this.run(['operator', 'add', code], {
      jurisdiction: jurisdiction && JSON.stringify(jurisdiction),
      'block-countries': blockCountries,
    });
    return new Operator(this, code);
  }

  /** What it printed. Rejects when the command fails. */
  async run(words: readonly string[], options: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    const given = Object.entries({ ...options, data: this.#dataFolder }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, value],
    );
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words, ...given], {
      timeout: TIMEOUT_MS,
    });
    return stdout.trim();
  }
}

export class Operator {
  readonly #program: Roundhouse;
  readonly code: string;
  readonly player = `player-${randomUUID()}`;

  constructor(program: Roundhouse, code: string) {
    this.#program = program;
    this.code = code;
  }

  /** The launch URL of a new session of the player. */
  session({ language, country, units }: SessionWish = {}): Promise<string> {
    const wish = { operator: this.code, player: this.player, language, country, balance: units };
    return this.#program.run(['session'], wish);
  }

  async setMaintenance(isOn: boolean): Promise<void> {
    await this.#program.run(['maintenance', isOn ? 'on' : 'off', 'operator', this.code]);
  }

  async limitDailyWager(units: string): Promise<void> {
    await this.#program.run(['limits', this.player], { operator: this.code, currency: 'USD', 'daily-wager': units });
  }

  async revokeSessions(): Promise<void> {
    await this.#program.run(['revoke', this.player], { operator: this.code });
  }

  async expireLogin(): Promise<void> {
    await this.#program.run(['login-expiry', this.player, 'now'], { operator: this.code });
  }
}
