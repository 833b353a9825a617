export * from '@roundhouse/sdk/input';
