import type { FoundLines, StepResult } from '@gemini-mcp/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSystemProgram } from '../../../processes/programs/find-system-program.ts';
import { FilesPlace } from '../../testing/files-place.ts';
import { filterByRipgrep } from './filter-by-ripgrep.ts';

const never = new AbortController().signal;
const ripgrep = await findSystemProgram('rg');

const words = [
  'needle',
  'Needle',
  'NEEDLE',
  'a.b',
  'axb',
  'é',
  'É',
  '\u017fet',
  '\u212a',
  '漢字',
  '\r',
  '\t',
  '  ',
  '$&',
];

describe.runIf(ripgrep !== null)('a search with ripgrep', () => {
  let place: FilesPlace;

  beforeAll(() => {
    place = new FilesPlace();
    const line = (seed: number): string => `${words[seed % 14]} ${words[(seed * 5 + 3) % 14]}`;
    for (let index = 0; index < 400; index += 1) {
      const content = `${line(index * 37)}\n${line(index * 101)}${index % 3 === 0 ? '' : '\n'}`;
      place.put(`ROOT/d${index % 7}/f${index}`, index % 50 === 0 ? Buffer.from([0, ...Buffer.from(content)]) : content);
    }
    place.put('ROOT/-', 'needle');
    place.put('ROOT/--files', 'needle');
    place.put('ROOT/new\nline', 'needle');
    place.put('ROOT/.hidden', 'needle');
    place.put('ROOT/.gitignore', 'd6\n');
    place.put('ROOT/latin', Buffer.from([0xe9, 0x20, ...Buffer.from('needle')]));
  });

  afterAll(() => place.remove());

  async function search(text: string, isPattern: boolean, ignoresCase: boolean): Promise<StepResult<FoundLines>> {
    return place.files().searchFiles({ path: '.', text, isPattern, ignoresCase, filePattern: null }, never);
  }

  /** In directories of fewer than 200 files each, which are read without ripgrep, and together contain all of the lines. */
  async function searchAlone(text: string, isPattern: boolean, ignoresCase: boolean): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const filePattern of ['*', '.*', 'd[0-2]/*', 'd[3-5]/*']) {
      const request = { path: '.', text, isPattern, ignoresCase, filePattern };
      const found = await place.files().searchFiles(request, never);
      lines.push(...(found.ok ? found.value.lines.map((line) => JSON.stringify(line)) : [found.refusal.code]));
    }
    return [...new Set(lines)].sort();
  }

  it('finds the same lines as one without', async () => {
    const text = fc.oneof(
      fc.constantFrom(...words),
      fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((pair) => pair.join(' ')),
    );
    const pattern = fc.constantFrom(
      'nee+dle',
      'needle|axb',
      '(needle)',
      'n[e]+dle .*a',
      '^needle',
      'axb$',
      'a\\.b',
      '\\S\\.b',
      'x?needle',
    );
    const either = fc.oneof(
      fc.record({ text, isPattern: fc.constant(false) }),
      fc.record({ text: pattern, isPattern: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(either, fc.boolean(), async ({ text: sought, isPattern }, ignoresCase) => {
        const found = await search(sought, isPattern, ignoresCase);
        const alone = await searchAlone(sought, isPattern, ignoresCase);
        const lines = found.ok ? found.value.lines.map((line) => JSON.stringify(line)) : [found.refusal.code];
        expect(lines.toSorted()).toEqual(alone);
      }),
      { numRuns: 25 },
    );
  });

  it('PATH-04: treats names as names, even those that look like options', async () => {
    const names = ['-', '--files', 'new\nline', 'd0/f0'].map((name) => `${place.root}/${name}`);
    const filled = [...names, ...Array.from({ length: 200 }, (_, index) => `${place.root}/none-${index}`)];
    const found = await filterByRipgrep({ texts: ['needle'], ignoresCase: false, paths: filled }, never);
    expect([...(found ?? [])]).toEqual(expect.arrayContaining(names.slice(0, 3)));
  });
});
