export { programPath } from './programs.ts';
export { type DashboardJson, type PanelQuery, queriesOf } from './queriesOf.ts';
export { type RuleOptions, ruleFile } from './rules/ruleFile.ts';
