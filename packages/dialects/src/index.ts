export type {
  DialectDemo,
  DialectGame,
  DialectGrant,
  DialectGrantResult,
  DialectLaunch,
  DialectServer,
  DialectTraits,
  InboundResponse,
  LaunchRefusalReason,
  LaunchResult,
  Post,
  RoundPage,
} from './dialect.ts';
export {
  AGGREGATOR_NAMES,
  connectDialect,
  DIALECT_NAMES,
  type DialectName,
  dialectOf,
  isDialectName,
  issuesOf,
  type OperatorConnection,
  parseSettings,
  type SettingsIssue,
} from './dialects.ts';
export { roundhouse } from './roundhouse/dialect.ts';
export { resultOf } from './roundhouse/send.ts';
export { formOf, type Params, signatureOf } from './slotegrator/signature.ts';
export { signatureOf as signSoftswiss } from './softswiss/signature.ts';
export type { AnyResult, WalletCall, WalletContext, WalletRequest, WalletResult } from './walletCall.ts';
