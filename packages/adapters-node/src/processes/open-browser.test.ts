import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser } from './open-browser.ts';

const environment = { DISPLAY: ':0', HOME: '/nowhere', TOKEN: 'a secret' };
let directory: string;

beforeEach(async () => {
  directory = await makeSafeDirectory();
});

afterEach(() => rm(directory, { recursive: true }));

async function install(): Promise<void> {
  const program = join(directory, 'xdg-open');
  await writeFile(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$@" "$DISPLAY" "$TOKEN" > ${directory}/new\nmv ${directory}/new ${directory}/told\n`,
  );
  await chmod(program, 0o755);
}

const open = (url: string, more: Readonly<Record<string, string>> = {}): Promise<boolean> =>
  openBrowser(url, { environment: { ...environment, ...more }, platform: 'linux', directories: [directory] });

describe.skipIf(process.platform === 'win32')('openBrowser', () => {
  it("passes the address to the system's program, with its display and only the variables that it needs", async () => {
    await install();
    expect(await open('https://login.example.com/auth?a=b&c=%20')).toBe(true);
    await expect
      .poll(() => readFile(join(directory, 'told'), 'utf8').catch(() => ''))
      .toBe('https://login.example.com/auth?a=b&c=%20\n:0\n\n');
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://login.example.com/',
    'https://login.example.com/" --evil',
    'https://login.example.com/\n',
    'https://user@login.example.com/',
    '-evil',
    '',
  ])('OAUTH: %j is not opened', async (url) => {
    await install();
    expect(await open(url)).toBe(false);
  });

  it('is not tried over SSH, without a display, or without such a program', async () => {
    const url = 'https://login.example.com/';
    expect(await open(url)).toBe(false);
    await install();
    expect(await open(url)).toBe(true);
    await expect.poll(() => readFile(join(directory, 'told'), 'utf8').catch(() => '')).toContain(url);
    expect(await open(url, { SSH_CONNECTION: '1 2 3 4' })).toBe(false);
    expect(await open(url, { DISPLAY: '' })).toBe(false);
  });
});
