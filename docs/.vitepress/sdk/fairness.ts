export * from '@roundhouse/sdk/fairness';
