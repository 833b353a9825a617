export * from '@roundhouse/sdk';
