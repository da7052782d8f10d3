import { expect, it } from 'vitest';
import { createNoFilesResolver } from './no-files-resolver.ts';

const selection = {
  files: ['b.ts', '/etc/passwd'],
  globPatterns: ['**/*'],
  directories: ['.'],
  maxFiles: 10,
  maxBytes: 1_000,
  deadlineAtMs: Number.MAX_SAFE_INTEGER,
};

const noFilesResolver = createNoFilesResolver('this token may read no files');

it('reads nothing, and says of each name that it lies outside', async () => {
  const { documents, leftOut } = await noFilesResolver.resolve(selection, new AbortController().signal);
  expect(documents).toEqual([]);
  expect(leftOut.map(({ path, origin, reason }) => [path, origin, reason])).toEqual([
    ['**/*', 'glob', 'outside-roots'],
    ['.', 'directory', 'outside-roots'],
    ['/etc/passwd', 'file', 'outside-roots'],
    ['b.ts', 'file', 'outside-roots'],
  ]);
});

it('rejects with the reason of an abort', async () => {
  const reason = new Error('enough');
  await expect(noFilesResolver.resolve(selection, AbortSignal.abort(reason))).rejects.toBe(reason);
});
