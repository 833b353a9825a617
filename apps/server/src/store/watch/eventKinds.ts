/**
 * Each kind of significant event has its meaning here. SQL writes those of the first group, except
 * for those of free rounds: the triggers of the migrations, void_round.sql. The console writes the
 * last group.
 *
 * An event says who: `person:NAME` (a command), `user:EMAIL` (a user of the console),
 * `operator:CODE` (a request to the operator API), `node:HOST#ID` (a node), `database:ROLE` (SQL
 * from outside), `system` (any other process).
 */
export const EVENT_KINDS = {
  rtp_alarm: 'the live RTP of a game has left its bounds',
  operator_changed: 'an operator was added, changed or removed',
  operator_limits_changed: 'limits of an operator in a currency were added, changed or removed',
  maintenance_started: 'maintenance was switched on',
  maintenance_changed: 'maintenance was switched to another level',
  maintenance_ended: 'maintenance was switched off',
  game_changed: 'a game was published for the first time, or removed',
  game_version_changed: 'a version of a game was published, withdrawn or reinstated, or its description changed',
  cell_changed: 'the database became a cell of a fleet, or its fleet or its numbers changed',
  player_limits_changed: 'a person or a user changed the daily limits of a player',
  player_login_changed: 'a person or a user changed when the login of a player expires',
  session_revoked: 'a person, a user or an operator ended a session, or a launch before it became one',
  wallet_transaction_changed: 'a person or a user settled or retried a parked wallet transaction',
  round_voided: 'an operator or a user voided a round',
  round_completed: 'a person or a user completed a round that its player had left',
  campaign_created: 'a campaign of free rounds was created',
  campaign_cancelled: 'a campaign of free rounds was cancelled',
  grants_given: 'a request gave free rounds to players, counted',
  grant_cancelled: 'the unused free rounds of a player were cancelled',
  large_bet: 'a bet that costs as much as the operator has set, or more',
  large_win: 'a round that pays as much as the operator has set, or more',
  large_daily_wager: 'the bets of a player in a UTC day add up to as much as the operator has set',
  large_daily_win: 'the wins of a player in a UTC day add up to as much as the operator has set',
  player_moved: 'a player has moved to another cell, or has come from one',
  data_changed: 'a row of players, money or rounds was changed in SQL from outside',
  user_changed: 'a user of the console was added, changed or removed',
  table_truncated: 'all rows of a table were removed in SQL',

  database_changed:
    'the database was away, has started again, or another server took its place; written when it was back',
  clock_offset: 'the clocks of a node and of the database became more than a second apart, or no longer are',
  wallet_outage_began: 'ten requests in a row to the wallet of an operator failed',
  wallet_outage_ended: 'the wallet of an operator responds again',
  signature_refused: 'requests to the operator API without a valid signature, counted for a minute',
  node_started: 'a node serves',
  random_failed: 'a health test of the random number generator failed; the node opens no more rounds',
  node_stopped: 'a node has stopped in order',
  install_verified: 'the installation of a node matches its manifest',
  install_mismatch: 'the installation of a node does not match its manifest, or the manifest cannot be used',

  console_action: 'a user of the console did something that changes no row: a check, a comparison, a download',
  access_refused: 'a user of the console asked for something that the role does not allow',
  approval_requested: 'an action of a user waits for the approval of a second user',
  approval_decided: 'a second user approved or rejected an action',
  signed_in: 'a user signed in to the console',
  sign_in_failed: 'a try to sign in to the console failed',
  sign_in_locked: 'wrong tries in a row keep an address or a browser out of an account of the console',
  signed_out: 'a user signed out of the console',
  session_ended: 'a user or an administrator ended sessions of a user of the console',
  password_changed: 'a user of the console set a password',
  second_factor_changed: 'a second factor of a user of the console was added, changed or removed',
  user_link_made: 'a one-time link to set the password of a user of the console was made',
} as const satisfies Record<string, string>;

export type EventKind = keyof typeof EVENT_KINDS;
