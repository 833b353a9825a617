export { type RuleOptions, ruleFile } from './rules/ruleFile.ts';
