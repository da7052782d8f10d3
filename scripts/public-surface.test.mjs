// What others import of our packages changes on purpose alone, can be named whole, and drags nothing along that it need not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSurfaces } from './public-surface.mjs';
import { libraries } from './published-packages.mjs';
import { rootDirectory } from './run-step.mjs';

const surfaces = readSurfaces();
const publicSurfaces = surfaces.filter(({ isInternal }) => !isInternal);

/** Packages that the types of an entry need besides our own. Tools of a server bring their arguments as schemas of zod. */
const foreignModules = {
  '@gemini-mcp/mcp': ['node:stream', 'zod'],
  '@gemini-mcp/mcp/http': ['zod'],
};

it.each(libraries.filter(({ name }) => publicSurfaces.some((surface) => surface.name === name)))(
  '$name exports what docs/exports says (`npx vitest run scripts --update` after a change)',
  async ({ name }) => {
    const own = publicSurfaces.filter((surface) => surface.name === name || surface.name.startsWith(`${name}/`));
    const text = own.map((entry) => `${entry.name}: ${entry.exports.length} exports\n\n${entry.exports.join('\n')}\n`);
    const file = `${name.replace('@gemini-mcp/', '')}.txt`;
    await expect(text.join('\n')).toMatchFileSnapshot(join(rootDirectory, 'docs/exports', file));
  },
);

describe.each(publicSurfaces)('$name', ({ name, unnamed, imports }) => {
  it('exports every type of its signatures', () => {
    expect(unnamed).toEqual([]);
  });

  it('has types that need only the required packages', () => {
    const foreign = imports.filter((specifier) => !specifier.startsWith('@gemini-mcp/'));
    expect(foreign).toEqual(foreignModules[name] ?? []);
  });

  it('takes nothing in its types from what may change in any release', () => {
    expect(imports.filter((specifier) => specifier.includes('/internal'))).toEqual([]);
  });
});

describe('a package that hides what its signatures need', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-surface-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('is found', () => {
    mkdirSync(join(directory, 'dist'));
    const files = {
      'index.d.ts': "export type { Shown } from './shown.js';\nexport { open } from './open.js';\n",
      'shown.d.ts': 'export type Shown = { readonly hidden: Hidden };\ntype Hidden = string;\n',
      'open.d.ts':
        "import type { Readable } from 'node:stream';\nimport type { Schema } from './schema.js';\nexport declare function open(schema: Schema): Readable;\n",
      'schema.d.ts': "import type { z } from 'zod';\nexport type Schema = z.ZodObject;\n",
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(directory, 'dist', name), text);
    }
    const manifest = { name: 'hider', type: 'module', exports: { '.': { types: './dist/index.d.ts' } } };
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
    expect(readSurfaces([{ directory, manifest }])).toEqual([
      {
        name: 'hider',
        isInternal: false,
        exports: ['function open', 'type Shown'],
        unnamed: ['Hidden, in Shown', 'Schema, in open'],
        imports: ['node:stream', 'zod'],
      },
    ]);
  });
});
