export { programPath } from './programs.ts';
export { type RuleOptions, ruleFile } from './rules/ruleFile.ts';
