import type { DialectKit } from '../kit/aggregator.ts';
import { aggregator } from './aggregator.ts';
import { type Hub88Settings, rules } from './rules.ts';

export const hub88: DialectKit<Hub88Settings> = { aggregator, rules };
