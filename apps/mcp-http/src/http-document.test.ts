import { readdirSync, readFileSync } from 'node:fs';
import { FakeClock } from '@gemini-mcp/core/testing';
import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import { describe, expect, it } from 'vitest';
import { createMetrics } from './operation/metrics/create-metrics.ts';
import { statusOfFailure, statusOfRefusal } from './rest/failure-status.ts';
import { httpClientNames } from './settings/http-client-name.ts';
import { httpClientSnippet } from './settings/http-client-snippet.ts';

const root = new URL('../../../', import.meta.url);
const document = readFileSync(new URL('docs/http.md', root), 'utf8');
const deploy = new URL('apps/mcp-http/deploy/', root);

/** The codes of a row of the table of statuses, without what is said of them. */
function codesOf(status: number): readonly string[] {
  const [, cells = ''] =
    new RegExp(`^\\| Status \\| Codes of calls \\|[^]*?^\\| ${status} \\|(.*)\\|$`, 'm').exec(document) ?? [];
  return [...cells.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code);
}

describe('docs/http.md', () => {
  it.each(readdirSync(deploy))('shows %s as it is', (name) => {
    const text = readFileSync(new URL(name, deploy), 'utf8');
    expect(document.split(/^```.*\n/m)).toContain(text);
  });

  // Claude Desktop's is described only.
  it.each(httpClientNames.filter((name) => name !== 'claude-desktop'))('shows what is printed for %s', (client) => {
    const { text } = httpClientSnippet(client, { url: 'http://127.0.0.1:3000/mcp', token: null });
    const pieces = text
      .split(/^.*:\n/m)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
    const blocks = document.split(/^```.*\n/m).map((block) => block.trim());
    expect(blocks).toEqual(expect.arrayContaining(pieces));
  });

  it('has every code of a call, at its status', () => {
    const statuses = { ...statusOfFailure, ...statusOfRefusal };
    const wrong = Object.entries(statuses).filter(([code, status]) => !codesOf(status).includes(code));
    expect(wrong).toEqual([]);
  });

  it('names every scope', () => {
    expect(scopes.filter((scope) => !document.includes(`| \`${scope}\` |`))).toEqual([]);
  });

  it('names every metric', async () => {
    const metrics = createMetrics({
      clock: new FakeClock(),
      modelChain: [],
      queueLoad: () => ({ running: 0, queued: 0 }),
      sessions: () => 0,
    });
    const names = [...(await metrics.render()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const own = names.filter((name) => !/^gemini_mcp_(?:process|nodejs)_/.test(name));
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter((name) => !new RegExp(`^\\|.*\`${name}\``, 'm').test(document))).toEqual([]);
  });
});
