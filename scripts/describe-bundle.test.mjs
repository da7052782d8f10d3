import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

describe.each(['mcp-stdio', 'mcp-http'])('THIRD-PARTY-NOTICES of %s', (name) => {
  const directory = join(rootDirectory, 'apps', name);
  const notices = readFileSync(join(directory, 'dist', 'THIRD-PARTY-NOTICES'), 'utf8');
  const packages = [...notices.matchAll(/^## (\S+) \S+$/gm)].map(([, each]) => each);

  it('UPSTREAM-L9: is in the package, whose files SECURITY.md counts', () => {
    const { files: packed } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    expect(packed).toContain('dist/THIRD-PARTY-NOTICES');
    const security = readFileSync(join(rootDirectory, 'SECURITY.md'), 'utf8').replaceAll('\n', ' ');
    const counts = { 'mcp-stdio': 'ten', 'mcp-http': 'one' };
    const scripts = packed.filter((file) => file.endsWith('.cjs'));
    expect(scripts).toHaveLength(name === 'mcp-stdio' ? 10 : 1);
    expect(security).toMatch(new RegExp(`bundles of (?:\\w+ files \\(stdio\\) and of )?${counts[name]}\\b`));
  });

  it('UPSTREAM-L9: has the licence of each package that is bundled', () => {
    expect(packages).toEqual(expect.arrayContaining(['@modelcontextprotocol/sdk', 'jsonc-parser', 'undici', 'zod']));
    for (const section of notices.split(/^## /m).slice(1)) {
      expect(section).toMatch(/copyright|Apache License|Permission|Licence: (?:MIT|ISC|BSD|Apache|0BSD|BlueOak)/i);
    }
  });
});
