export * from '@roundhouse/sdk/grants';
