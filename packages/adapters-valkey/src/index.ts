export type { ValkeyConnectionOptions } from './valkey-connection.ts';
export { ValkeyRecordStore, type ValkeyRecordStoreOptions } from './valkey-record-store.ts';
