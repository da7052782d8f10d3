import { expect, it } from 'vitest';
import { namesBelow } from '../gemini-agent-tool.ts';

it('takes relative names from the directory, and leaves others as they are', () => {
  const context = { files: ['a.ts:1-3', '/x/b.ts', 'C:\\b'], globPatterns: ['*.ts', '/x/*.ts'], directories: ['.'] };
  expect(namesBelow('/home/ada/my [new] project/', context)).toEqual({
    files: ['/home/ada/my [new] project/a.ts:1-3', '/x/b.ts', 'C:\\b'],
    globPatterns: ['/home/ada/my \\[new\\] project/*.ts', '/x/*.ts'],
    directories: ['/home/ada/my [new] project/.'],
  });
});
