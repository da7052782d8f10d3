import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clientNames } from './client-names.ts';
import { installLink } from './install-link.ts';

const entry = {
  ...{ command: '/opt/node', args: ['/opt/server.cjs'], hasDirectory: false, hasStoredLogin: false },
  variables: ['GEMINI_API_KEY'],
};

const config = (link: string): string => new URL(link).searchParams.get('config') ?? '';

const decoders: Readonly<Record<string, (link: string) => unknown>> = {
  cursor: (link) => JSON.parse(Buffer.from(config(link), 'base64').toString()),
  vscode: (link) => JSON.parse(decodeURIComponent(link.slice('vscode:mcp/install?'.length))),
  kiro: (link) => JSON.parse(config(link)),
  'lm-studio': (link) => JSON.parse(Buffer.from(config(link), 'base64').toString()),
};

it('has links for Cursor, VS Code, Kiro and LM Studio', () => {
  expect(clientNames.filter((client) => installLink(client, entry) !== null)).toEqual([
    'cursor',
    'vscode',
    'kiro',
    'lm-studio',
  ]);
});

it('names variables, as far as the client replaces their names', () => {
  const server = { command: '/opt/node', args: ['/opt/server.cjs'] };
  const env = { GEMINI_API_KEY: '$' + '{env:GEMINI_API_KEY}' };
  expect(decoders['cursor']?.(installLink('cursor', entry) ?? '')).toEqual({ ...server, env });
  expect(decoders['vscode']?.(installLink('vscode', entry) ?? '')).toEqual({
    name: 'gemini',
    type: 'stdio',
    ...server,
    env,
  });
  expect(decoders['lm-studio']?.(installLink('lm-studio', entry) ?? '')).toEqual(server);
});

it.each(['cursor', 'vscode', 'kiro', 'lm-studio'] as const)(
  '%s reads any path back, from a link of plain ASCII',
  (client) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }),
        (command, args) => {
          const link = installLink(client, { ...entry, command, args }) ?? '';
          expect(link).toMatch(/^[\w:/.?=&%*()!~-]+$/);
          expect(decoders[client]?.(link)).toMatchObject({ command, args });
        },
      ),
    );
  },
);
