export * from '@roundhouse/sdk/duties';
