import { failureAdvice, type GeminiFailure } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { clientForms } from '../clients/client-forms.ts';
import type { ClientName } from '../clients/client-names.ts';
import { clientFailureWords } from './client-failure-words.ts';
import { operatorFailureWords, serverFailureWords } from './server-failure-words.ts';

const excerpt = '';
const noLogin: GeminiFailure = { kind: 'authentication', problem: 'missing', excerpt };
const rejected: GeminiFailure = { kind: 'authentication', problem: 'rejected', excerpt };
const retired: GeminiFailure = { kind: 'tier-retired', excerpt };
const noCli: GeminiFailure = { kind: 'cli-missing', detail: '' };

/** The name that each client reports, and the place of its variables. */
const clients: readonly (readonly [string, ClientName, string])[] = [
  [
    'claude-code',
    'claude-code',
    'Claude Code passes the variables of its shell on: set GEMINI_API_KEY there, or with `-e GEMINI_API_KEY=<value>` in `claude mcp add`, and start Claude Code again.',
  ],
  [
    'claude-ai',
    'claude-desktop',
    'Claude Desktop takes it from claude_desktop_config.json: add `"env": { "GEMINI_API_KEY": "<GEMINI_API_KEY>" }` to the entry of this server, with the value in place of the angle brackets, and start Claude Desktop again.',
  ],
  [
    'codex-mcp-client',
    'codex',
    'Codex passes on only the variables that ~/.codex/config.toml names: add `env_vars = ["GEMINI_API_KEY"]` to the entry of this server, set GEMINI_API_KEY in the shell, and start Codex again.',
  ],
  [
    'gemini-cli-mcp-client',
    'gemini-cli',
    'Gemini CLI takes it from ~/.gemini/settings.json: add `"env": { "GEMINI_API_KEY": "$GEMINI_API_KEY" }` to the entry of this server, set GEMINI_API_KEY where Gemini CLI is started, and start Gemini CLI again.',
  ],
  [
    'cursor-vscode',
    'cursor',
    `Cursor takes it from ~/.cursor/mcp.json or .cursor/mcp.json: add \`"env": { "GEMINI_API_KEY": "\${env:GEMINI_API_KEY}" }\` to the entry of this server, set GEMINI_API_KEY where Cursor is started, and start Cursor again.`,
  ],
  [
    'Visual Studio Code',
    'vscode',
    `VS Code takes it from .vscode/mcp.json: add \`"env": { "GEMINI_API_KEY": "\${env:GEMINI_API_KEY}" }\` to the entry of this server, set GEMINI_API_KEY where VS Code is started, and start VS Code again.`,
  ],
  [
    'windsurf-client',
    'windsurf',
    `Windsurf takes it from ~/.codeium/windsurf/mcp_config.json: add \`"env": { "GEMINI_API_KEY": "\${env:GEMINI_API_KEY}" }\` to the entry of this server, set GEMINI_API_KEY where Windsurf is started, and start Windsurf again.`,
  ],
  [
    'opencode',
    'opencode',
    'opencode passes the variables of its own environment on: set GEMINI_API_KEY there, and start opencode again.',
  ],
  [
    'copilot-cli',
    'copilot-cli',
    'Copilot CLI passes the variables of its own environment on: set GEMINI_API_KEY there, and start Copilot CLI again.',
  ],
  [
    'qwen-cli-mcp-client-gemini',
    'qwen-code',
    'Qwen Code passes the variables of its own environment on: set GEMINI_API_KEY there, and start Qwen Code again.',
  ],
  [
    '@cline/core',
    'cline',
    'Cline passes the variables of its own environment on: set GEMINI_API_KEY there, and start Cline again.',
  ],
  [
    'antigravity-client',
    'antigravity',
    'Antigravity takes it from ~/.gemini/config/mcp_config.json: add `"env": { "GEMINI_API_KEY": "<GEMINI_API_KEY>" }` to the entry of this server, with the value in place of the angle brackets, and start Antigravity again.',
  ],
  ['Zed', 'zed', 'Zed passes the variables of its own environment on: set GEMINI_API_KEY there, and start Zed again.'],
  [
    'lmstudio-mcp-bridge-client',
    'lm-studio',
    'LM Studio takes it from ~/.lmstudio/mcp.json: add `"env": { "GEMINI_API_KEY": "<GEMINI_API_KEY>" }` to the entry of this server, with the value in place of the angle brackets, and start LM Studio again.',
  ],
  [
    'continue-cli-client',
    'continue',
    `Continue takes it from ~/.continue/config.yaml: add \`GEMINI_API_KEY: "\${{ secrets.GEMINI_API_KEY }}"\` to \`env\` of the entry of this server, set GEMINI_API_KEY where Continue is started (in an editor: in ~/.continue/.env), and start Continue again.`,
  ],
  [
    'Kiro',
    'kiro',
    `Kiro takes it from ~/.kiro/settings/mcp.json or .kiro/settings/mcp.json: add \`"env": { "GEMINI_API_KEY": "\${GEMINI_API_KEY}" }\` to the entry of this server, set GEMINI_API_KEY where Kiro is started, and start Kiro again.`,
  ],
];

describe('clientFailureWords', () => {
  it.each(clients)('%s learns the place of its login', (clientName, _, place) => {
    for (const failure of [noLogin, rejected, retired]) {
      const general = failureAdvice(failure, 'query', serverFailureWords);
      expect(failureAdvice(failure, 'chat', clientFailureWords(clientName))).toBe(`${general} ${place}`);
    }
    const advice = failureAdvice(noCli, 'query', clientFailureWords(clientName));
    expect(advice).toContain(place.replaceAll('GEMINI_API_KEY', 'GEMINI_MCP_CLI'));
  });

  it.each([
    ['claude-desktop', 'claude_desktop_config.json', '"GEMINI_API_KEY": "<GEMINI_API_KEY>"'],
    ['codex', '~/.codex/config.toml', 'env_vars = ["GEMINI_API_KEY"]'],
    ['gemini-cli', '~/.gemini/settings.json', '"GEMINI_API_KEY": "$GEMINI_API_KEY"'],
    ['cursor', '~/.cursor/mcp.json', `"GEMINI_API_KEY": "\${env:GEMINI_API_KEY}"`],
    ['vscode', '.vscode/mcp.json', `"GEMINI_API_KEY": "\${env:GEMINI_API_KEY}"`],
    ['windsurf', '~/.codeium/windsurf/mcp_config.json', `"GEMINI_API_KEY": "\${env:GEMINI_API_KEY}"`],
    ['continue', '~/.continue/config.yaml', `GEMINI_API_KEY: "\${{ secrets.GEMINI_API_KEY }}"`],
    ['antigravity', '~/.gemini/config/mcp_config.json', '"GEMINI_API_KEY": "<GEMINI_API_KEY>"'],
    ['kiro', '~/.kiro/settings/mcp.json', `"GEMINI_API_KEY": "\${GEMINI_API_KEY}"`],
    ['lm-studio', '~/.lmstudio/mcp.json', '"GEMINI_API_KEY": "<GEMINI_API_KEY>"'],
  ] as const)('%s reads of the file and the setting that --print-config prints for it', (client, file, setting) => {
    const entry = {
      command: 'node',
      args: [],
      hasDirectory: true,
      hasStoredLogin: false,
      variables: ['GEMINI_API_KEY'],
    };
    const { text, place } = clientForms[client].stdio(entry);
    for (const shown of [`${text}\n${place}`, clientForms[client].passVariable('GEMINI_API_KEY')]) {
      expect(shown).toContain(file);
      expect(shown).toContain(setting);
    }
  });

  it('covers every client whose settings can be printed', () => {
    expect(new Set(clients.map(([, client]) => client))).toEqual(new Set(Object.keys(clientForms)));
    const names = Object.values(clientForms).flatMap((form) => form.names);
    expect(names).toEqual([...new Set(names)].map((name) => name.toLowerCase()));
  });

  it.each([
    null,
    '',
    'my-agent',
    'constructor',
    '__proto__',
    'claude-code\n',
    'codex-mcp-client; rm -rf /',
    'x'.repeat(99),
  ])('the unknown name %j is shown nowhere', (clientName) => {
    expect(clientFailureWords(clientName)).toBe(serverFailureWords);
  });
});

describe('operatorFailureWords', () => {
  it.each([noLogin, retired, noCli])('say on %j that the operator can change it', (failure) => {
    const general = failureAdvice(failure, 'query', serverFailureWords);
    expect(failureAdvice(failure, 'query', operatorFailureWords)).toBe(
      `Only the operator of this server can change this, on its machine and as its user. ${general}`,
    );
  });

  it('name the key of the call first if a key was rejected', () => {
    expect(failureAdvice(rejected, 'query', operatorFailureWords)).toMatch(
      /^If the call had a key of its own \(`apiKey`\), check that key\. Otherwise: Only the operator .* GEMINI_API_KEY/,
    );
  });
});
