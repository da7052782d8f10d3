import { PassThrough } from 'node:stream';
import { createEarlyLog, createLog } from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { stderrLogOptions } from './serve.ts';

describe.each([
  ['createEarlyLog', createEarlyLog],
  ['createLog', createLog],
])('%s on stderr', (_, create) => {
  it('hides the secrets of the environment', () => {
    const stderr = new PassThrough();
    const environment = { GEMINI_API_KEY: 'a-key-without-a-shape' };
    create(stderrLogOptions({ level: 'info', stderr, environment })).info('x', { text: 'a-key-without-a-shape' });
    expect(JSON.parse(String(stderr.read()))).toMatchObject({ event: 'x', text: '[redacted]' });
  });

  it('goes on when stderr has no reader any more', () => {
    const stderr = new PassThrough();
    const log = create(stderrLogOptions({ level: 'info', stderr, environment: {} }));
    stderr.destroy(new Error('EPIPE'));
    expect(() => log.info('x')).not.toThrow();
  });
});
