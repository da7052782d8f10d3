import { setTimeout as sleep } from 'node:timers/promises';
import { createMcpServer, serveOverStdio } from '@gemini-mcp/mcp/internal';
import { extendWithFixtures } from './extend-with-fixtures.ts';
import { fixtureSurface } from './fixture-surface.ts';

const server = createMcpServer(
  {
    version: '0.0.0',
    clock: {
      now: () => Date.now(),
      sleep: (durationMs, signal) => sleep(Math.max(0, durationMs), undefined, { signal }),
    },
    log: () => undefined,
    ownerOf: () => 'conformance',
    surface: fixtureSurface,
  },
  { extend: extendWithFixtures },
);

const { stdin, stdout } = process;
void serveOverStdio(server, { stdin, stdout }, new AbortController().signal).then(() => process.exit(0));
