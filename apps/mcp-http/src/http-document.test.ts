import { readdirSync, readFileSync } from 'node:fs';
import { FakeClock } from '@gemini-mcp/core/testing';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { describe, expect, it } from 'vitest';
import { createMetrics } from './operation/create-metrics.ts';
import { statusOfFailure, statusOfRefusal } from './rest/present-problem.ts';
import { httpClientNames, httpClientSnippet } from './settings/http-program.ts';

const root = new URL('../../../', import.meta.url);
const page = (name: string): string => readFileSync(new URL(`docs/${name}.md`, root), 'utf8');
const blocksOf = (document: string): readonly string[] => document.split(/^```.*\n/m);
const deploy = new URL('apps/mcp-http/deploy/', root);

/** The codes in a row of the table of statuses. */
function codesOf(status: number): readonly string[] {
  const [, cells = ''] =
    new RegExp(`^\\| Status \\| Codes of calls \\|[^]*?^\\| ${status} \\|(.*)\\|$`, 'm').exec(page('http/rest')) ?? [];
  return [...cells.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code);
}

/** Clients whose settings over HTTP the page leaves to --print-config. */
const described: readonly string[] = [
  ...['claude-desktop', 'opencode', 'copilot-cli', 'qwen-code', 'cline', 'continue'],
  ...['antigravity', 'zed', 'kiro', 'lm-studio'],
];

describe('the pages on the HTTP server', () => {
  it.each(['Caddyfile', 'gemini-mcp-server-http.service', 'nginx.conf'])('show %s unchanged', (name) => {
    const text = readFileSync(new URL(name, deploy), 'utf8');
    expect(blocksOf(page('http/deployment'))).toContain(text);
  });

  it('link each file for operators that they do not show', () => {
    const pages = page('http/deployment') + page('http/several-machines');
    expect(readdirSync(deploy).filter((name) => !pages.includes(`deploy/${name}`))).toEqual([]);
  });

  it.each(httpClientNames.filter((name) => !described.includes(name)))(
    'show what --print-config prints for %s',
    (client) => {
      const { text } = httpClientSnippet(client, { url: 'http://127.0.0.1:3000/mcp', token: null });
      const pieces = text
        .split(/^.*:\n/m)
        .map((piece) => piece.trim())
        .filter((piece) => piece !== '');
      const blocks = blocksOf(page('clients')).map((block) => block.trim());
      expect(blocks).toEqual(expect.arrayContaining(pieces));
    },
  );

  it.each(httpClientNames.filter((name) => described.includes(name)))('name the file of %s', (client) => {
    const { place } = httpClientSnippet(client, { url: 'http://127.0.0.1:3000/mcp', token: null });
    const [file = place] = /[\w~./-]+\.(?:json|yaml)/.exec(place) ?? [];
    expect(page('clients')).toContain(`\`${file}\``);
  });

  it('have every code of a call, at its status', () => {
    const statuses = { ...statusOfFailure, ...statusOfRefusal };
    const wrong = Object.entries(statuses).filter(([code, status]) => !codesOf(status).includes(code));
    expect(wrong).toEqual([]);
  });

  it('name every scope', () => {
    expect(scopes.filter((scope) => !page('http/access').includes(`| \`${scope}\` |`))).toEqual([]);
  });

  it('name every metric', async () => {
    const metrics = createMetrics({
      clock: new FakeClock(),
      modelChain: [],
      queueLoad: () => ({ running: 0, queued: 0 }),
      sessions: () => 0,
    });
    const names = [...(await metrics.render()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const own = names.filter((name) => !/^gemini_mcp_(?:process|nodejs)_/.test(name));
    expect(own.length).toBeGreaterThan(15);
    const document = page('http/deployment');
    expect(own.filter((name) => !new RegExp(`^\\|.*\`${name}\``, 'm').test(document))).toEqual([]);
  });
});
