export * from '@roundhouse/sdk/events';
