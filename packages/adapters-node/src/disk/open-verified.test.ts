import { spawnSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseDescriptorProof, type DescriptorProof, type OpenFileRequest, openVerified } from './open-verified.ts';
import { RealRoots } from './real-roots.ts';

const proofs: readonly DescriptorProof[] =
  chooseDescriptorProof() === 'kernel-link' ? ['kernel-link', 'second-look'] : ['second-look'];

describe.each(proofs)('openVerified with proof by %s', (proof) => {
  let base: string;
  let root: string;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'open-')));
    root = join(base, 'root');
    mkdirSync(join(root, 'dir'), { recursive: true });
    mkdirSync(join(base, 'out'));
    writeFileSync(join(root, 'file'), 'inside');
    writeFileSync(join(base, 'out/file'), 'outside');
  });

  afterEach(() => {
    rmSync(base, { recursive: true, force: true });
  });

  /** The result of opening: the text, the kind of refusal, or `a directory`. Leaves no descriptor open. */
  function outcome(path: string, fields: Partial<OpenFileRequest> = {}): string {
    const roots = new RealRoots({ directories: [root] });
    const opened = openVerified({ path, kind: 'file', roots, proof, followsLink: true, ...fields });
    if (!opened.ok) {
      return opened.reason;
    }
    try {
      expect(opened.realPath.startsWith(root)).toBe(true);
      return fields.kind === 'directory' ? 'a directory' : readFileSync(opened.descriptor, 'utf8');
    } finally {
      closeSync(opened.descriptor);
    }
  }

  it('opens files inside, even through links', () => {
    symlinkSync('file', join(root, 'link'));
    symlinkSync('..', join(root, 'dir/up'));
    expect(outcome(join(root, 'file'))).toBe('inside');
    expect(outcome(join(root, 'link'))).toBe('inside');
    expect(outcome(join(root, 'dir/up/link'))).toBe('inside');
    expect(outcome(join(root, 'dir'), { kind: 'directory' })).toBe('a directory');
    expect(outcome(root, { kind: 'directory' })).toBe('a directory');
  });

  it('refuses files outside', () => {
    symlinkSync('../out', join(root, 'away'));
    expect(outcome(join(base, 'out/file'))).toBe('outside-roots');
    expect(outcome(join(root, 'away/file'))).toBe('outside-roots');
    expect(outcome(join(root, 'away'), { kind: 'directory' })).toBe('outside-roots');
    expect(outcome('/dev/null')).toBe('outside-roots');
  });

  it('refuses a final link if it must not follow it', () => {
    symlinkSync('dir', join(root, 'link'));
    expect(outcome(join(root, 'link'), { kind: 'directory', followsLink: false })).toBe('unreadable');
    expect(outcome(join(root, 'dir'), { kind: 'directory', followsLink: false })).toBe('a directory');
  });

  it('reports obstacles', async () => {
    expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0);
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(join(root, 'socket'), resolve);
    });
    expect(outcome(join(root, 'none'))).toBe('not-found');
    expect(outcome(join(root, 'file/none'))).toBe('not-found');
    expect(outcome(join(root, 'x\0'))).toBe('not-found');
    expect(outcome(join(root, 'x\uFFFD'))).toBe('unreadable');
    expect(outcome(join(root, 'x'.repeat(300)))).toBe('name-too-long');
    expect(outcome(join(root, 'dir'))).toBe('is-a-directory');
    expect(outcome(join(root, 'pipe'))).toBe('not-a-file');
    expect(outcome(join(root, 'socket'))).toBe('not-a-file');
    expect(outcome(join(root, 'file'), { kind: 'directory' })).toBe('not-a-directory');
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  it("opens a file whose name ends like the kernel's mark for deleted ones", () => {
    renameSync(join(root, 'file'), join(root, 'file (deleted)'));
    linkSync(join(root, 'file (deleted)'), join(root, 'twin'));
    expect(outcome(join(root, 'file (deleted)'))).toBe('inside');
    expect(outcome(join(root, 'file'))).toBe('not-found');
  });

  it.runIf(process.platform === 'linux')('closes every descriptor', () => {
    const before = readdirSync('/proc/self/fd').length;
    for (const path of ['file', 'none', 'dir', '../out/file']) {
      outcome(join(root, path));
    }
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});
