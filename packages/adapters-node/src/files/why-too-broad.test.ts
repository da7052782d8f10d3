import { describe, expect, it } from 'vitest';

import { whyTooBroad } from './choose-directories.ts';

const posix = {
  platform: 'linux',
  homes: ['/home/ada', '/data/people/ada'],
  packages: ['/opt/plugins/gemini'],
} as const;
const windows = { platform: 'win32', homes: ['C:\\Users\\Ada'], packages: ['D:\\Plugins\\gemini'] } as const;

describe('whyTooBroad', () => {
  it.each([
    ['/', 'holds the whole file system'],
    ['/home/ada', 'is a home directory or holds home directories'],
    ['/home', 'is a home directory or holds home directories'],
    ['/home/bob', 'is a home directory or holds home directories'],
    ['/Users', 'is a home directory or holds home directories'],
    ['/Users/ada', 'is a home directory or holds home directories'],
    ['/root', 'is a home directory or holds home directories'],
    ['/private/var/root', 'is a home directory or holds home directories'],
    ['/var/root', 'is a home directory or holds home directories'],
    ['/data/people/ada', 'is a home directory or holds home directories'],
    ['/data/people', 'holds your home directory'],
    ['/data', 'holds your home directory'],
    ['/mnt/c', 'is a home directory or holds home directories'],
    ['/mnt/c/Users/ada', 'is a home directory or holds home directories'],
    ['/mnt/c/Windows/System32', 'belongs to the operating system'],
  ])('%s: it %s (ROOT-01)', (directory, reason) => {
    expect(whyTooBroad({ directory, ...posix })).toBe(reason);
  });

  it.each([
    ['C:\\', 'holds the whole file system'],
    ['D:\\', 'holds the whole file system'],
    ['\\\\server\\share\\', 'holds the whole file system'],
    ['C:\\Users', 'is a home directory or holds home directories'],
    ['C:\\Users\\Ada', 'is a home directory or holds home directories'],
    ['c:\\users\\ADA', 'is a home directory or holds home directories'],
    ['C:\\Users\\Bob', 'is a home directory or holds home directories'],
    ['C:\\Windows\\System32', 'belongs to the operating system'],
    ['C:\\WINDOWS', 'belongs to the operating system'],
    ['C:\\Program Files\\Client', 'belongs to the operating system'],
  ])('on Windows %s: it %s (ROOT-01)', (directory, reason) => {
    expect(whyTooBroad({ directory, ...windows })).toBe(reason);
  });

  it.each([
    '/home/ada/.claude/plugins/cache/gemini/1.0.0',
    '/home/ada/.codex/plugins/cache/gemini',
    '/home/ada/.gemini/extensions/gemini-mcp-server',
    '/home/ada/.vscode/extensions/x',
    '/home/ada/.npm/_npx/12ab/node_modules/gemini-mcp-server',
    '/home/ada/app/node_modules',
    '/Users/ada/Library/Application Support/Claude/Claude Extensions/gemini',
    '/opt/plugins/gemini',
    '/opt/plugins/gemini/dist',
  ])('%s belongs to a package, plugin or extension (ROOT-01)', (directory) => {
    expect(whyTooBroad({ directory, ...posix })).toBe('belongs to an installed package, plugin or extension');
  });

  it.each([
    'C:\\Users\\Ada\\.claude\\plugins\\gemini',
    'C:\\Users\\Ada\\AppData\\Roaming\\Claude\\Claude Extensions\\gemini',
    'D:\\Plugins\\gemini\\dist',
  ])('on Windows %s does too (ROOT-01)', (directory) => {
    expect(whyTooBroad({ directory, ...windows })).toBe('belongs to an installed package, plugin or extension');
  });

  it.each([
    '/home/ada/plugins/gemini',
    '/home/ada/extensions',
    '/opt/plugins',
    '/opt/plugins/gemini-2',
    '/home/ada/.claude/skills',
    '/home/ada/project',
    '/work',
    '/srv/app',
    '/data/people/ada-2',
    '/data/people/ada/x',
    '/rooted',
    '/tmp',
    '/mnt/c/code/app',
    '/mnt/d/app',
    '/root/app',
    '/var/root/app',
    '/root/Users/x/app',
  ])('%s may be a root (ROOT-10)', (directory) => {
    expect(whyTooBroad({ directory, ...posix })).toBeNull();
  });

  it.each(['C:\\Users\\Ada\\project', 'C:\\work', 'D:\\Windows tools', '\\\\server\\share\\project'])(
    'on Windows %s may be a root',
    (directory) => {
      expect(whyTooBroad({ directory, ...windows })).toBeNull();
    },
  );
});
