import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult } from '@gemini-mcp/core';
import { PlaceSwapper } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseDescriptorProof } from '../../disk/open-verified.ts';
import type { NodeWorkspace } from '../node-workspace.ts';
import { FilesPlace, modifyOne } from '../testing/files-place.ts';

const never = new AbortController().signal;

/** For each kind of step; `GEMINI_MCP_RACE_WRITES=20000` is the full proof. */
const writes = Number(process.env['GEMINI_MCP_RACE_WRITES'] ?? 200);

// On other systems a race remains, as open-verified.ts explains.
describe.runIf(chooseDescriptorProof() === 'kernel-link')('a directory that is swapped for a link to outside', () => {
  let place: FilesPlace;
  let swapper: PlaceSwapper;

  beforeEach(async () => {
    place = new FilesPlace();
    place.put('ROOT/d/f.txt', 'inside 0');
    place.put('OUT/f.txt', 'outside CANARY');
    mkdirSync(join(place.base, 'OUT/sub'));
    symlinkSync('../OUT', join(place.root, 'link'));
    swapper = await PlaceSwapper.start([join(place.root, 'd'), join(place.root, 'link')]);
  });

  afterEach(async () => {
    await swapper.stop();
    place.remove();
  });

  /** Everything that many steps revealed of outside. The machine decides how many of them hit the middle of an exchange. */
  async function race(step: (files: NodeWorkspace, round: number) => Promise<StepResult<unknown>>): Promise<string> {
    const files = place.files();
    let said = '';
    for (let round = 0; round < writes; round += 1) {
      const result = await step(files, round);
      said = JSON.stringify(result).includes('CANARY') ? `${said}\nround ${round} tells of outside` : said;
    }
    return said;
  }

  function expectOutsideUntouched(): void {
    expect(readdirSync(join(place.base, 'OUT'), { recursive: true }).sort()).toEqual(['f.txt', 'sub']);
    expect(readFileSync(join(place.base, 'OUT/f.txt'), 'utf8')).toBe('outside CANARY');
  }

  it('TOOLS-02: no new file and no new directory ends up outside', { timeout: 600_000 }, async () => {
    const content = 'ours';
    expect(await race((files, round) => files.putFile({ path: `d/new-${round}/sub/f`, content }, never))).toBe('');
    expect(await race((files, round) => files.putFile({ path: `d/new-${round}`, content }, never))).toBe('');
    expect(await race((files, round) => files.putFile({ path: `d/sub/new-${round}`, content }, never))).toBe('');
    expectOutsideUntouched();
  });

  it('TOOLS-02: no file outside is changed', { timeout: 600_000 }, async () => {
    let written = 0;
    const modify = async (files: NodeWorkspace): Promise<StepResult<unknown>> => {
      const result = await modifyOne(files, 'd/f.txt', `inside ${written}`, `inside ${written + 1}`);
      written += Number(result.ok);
      return result;
    };
    expect(await race(modify)).toBe('');
    expectOutsideUntouched();
  });

  it('SWAP-01, PATH-07: nothing outside is viewed, listed or found', { timeout: 600_000 }, async () => {
    const search = { path: 'd', text: 'CANARY', isPattern: false, ignoresCase: false, filePattern: null };
    expect(await race((files) => files.viewFile({ path: 'd/f.txt' }, never))).toBe('');
    expect(await race((files) => files.searchFiles(search, never))).toBe('');
    expect(await race((files) => files.listFiles({ path: 'd', pattern: '**' }, never))).toBe('');
  });
});
