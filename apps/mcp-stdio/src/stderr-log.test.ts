import { PassThrough } from 'node:stream';
import { createRedactor } from '@gemini-mcp/adapters-node/startup';
import { expect, it } from 'vitest';
import { createStderrLog } from './stderr-log.ts';

const key = 'AIzaSyA-made-up-key-0123456789abcdefghi';

function logged(...[event, fields]: Parameters<ReturnType<typeof createStderrLog>>): string {
  const stderr = new PassThrough();
  createStderrLog({ stderr, redact: createRedactor([key]) })(event, fields);
  return String(stderr.read());
}

it('writes one line of JSON, whatever the fields hold', () => {
  const line = logged('cli-found', { path: '/opt/new\nline', version: null });
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    time: expect.any(String),
    event: 'cli-found',
    path: '/opt/new\nline',
    version: null,
  });
});

it('hides keys, in texts and in errors', () => {
  expect(logged('x', { text: `key=${key}`, error: new Error(`rejected ${key}`) })).not.toContain(key);
});

it('cuts what is long', () => {
  expect(logged('x', { text: 'y'.repeat(100_000) }).length).toBeLessThan(5_000);
});

it('goes on when nobody reads stderr any more', () => {
  const stderr = new PassThrough();
  const log = createStderrLog({ stderr, redact: (text) => text });
  stderr.destroy(new Error('EPIPE'));
  expect(() => log('x')).not.toThrow();
});
