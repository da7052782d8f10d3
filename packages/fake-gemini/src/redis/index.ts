export { elsewhereCertificate, trustedCertificate } from '../test-certificates.ts';
export { FaultyProxy } from './faulty-proxy.ts';
export { hasRedisServer, RedisServer } from './redis-server.ts';
