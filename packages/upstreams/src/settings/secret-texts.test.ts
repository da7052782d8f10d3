import { expect, it } from 'vitest';
import { readUpstreamConfig } from './read-upstream-config.ts';
import { secretTexts } from './secret-texts.ts';

const values = {
  allowed: ['TOKEN', 'HOME', 'EMPTY'],
  variables: new Map([
    ['TOKEN', 'token-of-the-operator'],
    ['HOME', '/home/operator'],
    ['EMPTY', ''],
  ]),
  secretOf: (kind: string, name: string) => (name === 'missing' ? null : `${kind} ${name}`),
};

function textsOf(entry: object): readonly string[] {
  const { servers } = readUpstreamConfig(JSON.stringify({ mcpServers: { s: entry } }), 'settings.json');
  const read = servers.get('s');
  return read === undefined ? [] : secretTexts(read, values);
}

it('are what references lead to, and headers with and without their first word', () => {
  const env = {
    A: '$TOKEN',
    B: 'x ${TOKEN} y',
    C: '${HOME}/data',
    D: 'keychain:github',
    E: '${NONE:-${TOKEN}}',
    F: '$EMPTY',
    G: 'production',
    H: 'keychain:missing',
  };
  expect(textsOf({ command: 'x', env })).toEqual(['token-of-the-operator', 'keychain github']);
  const headers = { Authorization: 'Bearer $TOKEN', 'X-Key': 'written-in-the-clear' };
  expect(textsOf({ url: 'https://a.example/mcp', headers })).toEqual([
    'token-of-the-operator',
    'Bearer token-of-the-operator',
    'written-in-the-clear',
  ]);
});
