import { describe, expect, it } from 'vitest';
import { limitConnections } from './connection-slots.ts';

describe('limitConnections', () => {
  it.each([
    ['the configured number if descriptors abound', 1_024, 4, 1_048_576, 1_024],
    ['the configured number if the limit is unknown', 1_024, 4, null, 1_024],
    ['fewer if calls need the rest', 1_024, 4, 256, 128],
    ['fewer still if more calls may run', 1_024, 8, 256, 64],
    ['never more than configured', 10, 4, 256, 10],
    ['a minimum in any case', 1_024, 64, 256, 8],
  ])('SYSTEM-01: allows %s', (_, maxConnections, maxRunning, maxDescriptors, allowed) => {
    expect(limitConnections({ maxConnections, maxRunning, maxDescriptors })).toBe(allowed);
  });
});
