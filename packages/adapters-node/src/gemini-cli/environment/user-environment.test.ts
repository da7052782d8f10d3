import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addUserEnvironment } from './user-environment.ts';

let home: string;
let userDirectory: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-'));
  userDirectory = join(home, '.gemini');
  await mkdir(userDirectory);
});

afterEach(() => rm(home, { recursive: true }));

describe('addUserEnvironment', () => {
  it('adds what a run may see, and only that', async () => {
    await writeFile(
      join(userDirectory, '.env'),
      '# mine\nexport GEMINI_API_KEY="from # file"\nGOOGLE_CLOUD_PROJECT=p\nGEMINI_SYSTEM_MD=1\nGEMINI_SANDBOX=docker\nNODE_OPTIONS=--require=/evil.js\nTOKEN=t\n',
    );
    expect(addUserEnvironment({ environment: { HOME: home }, userDirectory })).toEqual({
      HOME: home,
      GEMINI_API_KEY: 'from # file',
      GOOGLE_CLOUD_PROJECT: 'p',
    });
  });

  it('the server’s own variables come first, also empty ones, but not missing ones', async () => {
    await writeFile(
      join(userDirectory, '.env'),
      'GEMINI_API_KEY=file\nGOOGLE_API_KEY=file\nGOOGLE_CLOUD_PROJECT=file\n',
    );
    const environment = { GEMINI_API_KEY: 'server', GOOGLE_API_KEY: '', GOOGLE_CLOUD_PROJECT: undefined };
    expect(addUserEnvironment({ environment, userDirectory })).toEqual({
      GEMINI_API_KEY: 'server',
      GOOGLE_API_KEY: '',
      GOOGLE_CLOUD_PROJECT: 'file',
    });
  });

  it('reads the file in the home only if .gemini has no .env', async () => {
    await writeFile(join(home, '.env'), 'GEMINI_API_KEY=home\nGOOGLE_API_KEY=home\n');
    expect(addUserEnvironment({ environment: {}, userDirectory })).toEqual({
      GEMINI_API_KEY: 'home',
      GOOGLE_API_KEY: 'home',
    });
    await writeFile(join(userDirectory, '.env'), 'GEMINI_API_KEY=gemini\n');
    expect(addUserEnvironment({ environment: {}, userDirectory })).toEqual({ GEMINI_API_KEY: 'gemini' });
  });

  it('accepts a missing file, or a directory in its place', async () => {
    expect(addUserEnvironment({ environment: { A: '1' }, userDirectory })).toEqual({ A: '1' });
    await mkdir(join(userDirectory, '.env'));
    await writeFile(join(home, '.env'), Buffer.from([0xff, 0xfe, 0x00, 0x3d, 0x0a]));
    expect(addUserEnvironment({ environment: { A: '1' }, userDirectory })).toEqual({ A: '1' });
  });
});
