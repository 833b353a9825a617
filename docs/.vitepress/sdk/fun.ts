export * from '@roundhouse/sdk/fun';
