import type { GeminiCliLocation } from '@gemini-mcp/adapters-node';
import type { GeminiFailure, RunnerPreference } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../settings/read-configuration.ts';
import { sampleProgram } from '../testing/sample-program.ts';
import type { Check } from './check.ts';
import { diagnose } from './diagnose.ts';
import type { DoctorProbes, Login } from './doctor-probes.ts';

const { configuration } = readConfiguration({
  environment: { HOME: '/home/ada', GEMINI_MCP_STATE_DIR: '/state', GEMINI_MCP_MODELS: 'gemini-a,gemini-b' },
  currentDirectory: '/project',
});

const cliOf = (version: string | null): GeminiCliLocation => ({
  found: true,
  cli: { command: { file: '/usr/bin/gemini', arguments: [] }, path: '/usr/bin/gemini', version, foundBy: 'PATH' },
  passedOver: [],
  lookedIn: [],
  fault: null,
});

const loginOf = (login: Partial<Login>): Pick<DoctorProbes, 'readLogin'> => ({
  readLogin: async () => ({
    authType: null,
    variables: new Set<string>(),
    hasAccount: false,
    hasKeptCredentials: false,
    ...login,
  }),
});

const sound: DoctorProbes = {
  login: { source: 'environment', problem: null, path: '/home/ada/.config/gemini-mcp-server/login.json' },
  nodeVersion: '22.12.0',
  platform: 'linux',
  now: () => Date.UTC(2026, 10, 22),
  findApi: async () => ({ login: null, problem: null }),
  locateCli: async () => cliOf('0.61.0'),
  ...loginOf({ authType: 'gemini-api-key', variables: new Set(['GEMINI_API_KEY']) }),
  findReadProblem: async (path) => (path.startsWith('/home') ? 'ENOENT' : null),
  findStateProblem: async () => null,
  findStoreProblem: async () => null,
  findProgram: async (name) => (name === 'docker' ? '/usr/bin/docker' : null),
  findCommandSandbox: async () => ({ available: true, name: 'bubblewrap' }),
  listModels: async () => null,
  readServers: async () => null,
  findKeychainProblem: async () => null,
  tryWarm: async () => ({ durationMs: 1_340, problem: null }),
  tryCall: async () => ({ durationMs: 1_440, failure: null }),
};

const look = (probes: Partial<DoctorProbes>, call = true): Promise<readonly Check[]> =>
  diagnose(
    { program: sampleProgram, configuration, probes: { ...sound, ...probes }, call },
    new AbortController().signal,
  );

async function lookAt(name: string, probes: Partial<DoctorProbes>): Promise<Check | undefined> {
  return (await look(probes)).find((check) => check.name === name);
}

describe('diagnose', () => {
  it('finds nothing to do on a sound machine', async () => {
    expect(await look({})).toEqual([
      { name: 'Node', status: 'ok', found: '22.12.0', fix: null },
      {
        name: 'Way',
        status: 'ok',
        found: 'the Gemini CLI, because no login works with the Gemini API',
        fix: null,
      },
      { name: 'Gemini CLI', status: 'ok', found: '0.61.0 at /usr/bin/gemini (found by PATH)', fix: null },
      { name: 'Login', status: 'ok', found: 'an API key (GEMINI_API_KEY)', fix: null },
      { name: 'State directory', status: 'ok', found: '/state', fix: null },
      { name: 'Working directory', status: 'ok', found: '/project', fix: null },
      { name: 'Models', status: 'ok', found: 'gemini-a, gemini-b', fix: null },
      { name: 'Sandbox', status: 'ok', found: 'docker', fix: null },
      { name: 'Command sandbox', status: 'ok', found: 'bubblewrap', fix: null },
      { name: 'Warm process', status: 'ok', found: 'ready in 1.3 s', fix: null },
      { name: 'Call', status: 'ok', found: 'gemini-a answered in 1.4 s', fix: null },
    ]);
  });

  it.each([
    [null, { status: 'ok', found: 'seals the logins to other servers', fix: null }],
    [
      'The keychain is locked. Unlock it.',
      {
        status: 'warn',
        found: 'The keychain is locked. Unlock it.',
        fix: 'Until then logins to other servers can be neither stored nor used.',
      },
    ],
  ])('the keychain, where logins are sealed with it: %s', async (problem, expected) => {
    const { configuration: sealing } = readConfiguration({
      environment: { HOME: '/home/ada', GEMINI_MCP_CREDENTIALS: 'keychain' },
      currentDirectory: '/project',
    });
    const probes = { ...sound, findKeychainProblem: async () => problem };
    const options = { program: sampleProgram, configuration: sealing, probes, call: false };
    const checks = await diagnose(options, new AbortController().signal);
    expect(checks.find(({ name }) => name === 'Keychain')).toEqual({ name: 'Keychain', ...expected });
  });

  it.each([
    ['20.18.3', 'fail'],
    ['18.20.0', 'fail'],
    ['nonsense', 'fail'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('Node %s: %s', async (nodeVersion, status) => {
    const check = await lookAt('Node', { nodeVersion });
    expect(check?.status).toBe(status);
    expect(check?.fix ?? '').toMatch(status === 'fail' ? /^Install Node 22/ : /^$/);
  });

  it('the models of the API where calls go there, held against what the API knows', async () => {
    const { configuration: plain } = readConfiguration({
      environment: { HOME: '/home/ada', GEMINI_MCP_STATE_DIR: '/state' },
      currentDirectory: '/project',
    });
    const findApi = async () => ({ login: 'gemini-key', problem: null }) as const;
    const probes = { ...sound, findApi, listModels: async () => ({ ok: true, models: [] }) as const };
    const options = { program: sampleProgram, configuration: plain, probes, call: false };
    const checks = await diagnose(options, new AbortController().signal);
    expect(checks.find(({ name }) => name === 'Models')).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/^the Gemini API does not know gemini-4-carbon, .*gemini-3\.5-flash-lite$/),
    });
  });

  it('PROGRAM-08: a CLI of the project that comes first on PATH: that it is not run, why, and what to set', async () => {
    const path = '/project/node_modules/.bin/gemini';
    const passedOver = [{ path, fault: { kind: 'npm-bin', place: '/project/node_modules/.bin' } as const }];
    expect(await lookAt('Skipped program', { locateCli: async () => ({ ...cliOf('0.61.0'), passedOver }) })).toEqual({
      name: 'Skipped program',
      status: 'warn',
      found: `${path} comes first on PATH but was skipped. /project/node_modules/.bin holds programs that a project's packages install.`,
      fix: 'If /usr/bin/gemini is the right program, do nothing. Otherwise set GEMINI_MCP_CLI to the absolute path of yours.',
    });
  });

  it('PROGRAM-08: a CLI below a root that GEMINI_MCP_CLI names: that it is run all the same', async () => {
    const location = cliOf('0.61.0');
    const fault = { kind: 'project', place: '/project' } as const;
    expect(
      await lookAt('Place of the CLI', { locateCli: async () => (location.found ? { ...location, fault } : location) }),
    ).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/^\/project belongs to a directory .* GEMINI_MCP_CLI names it\.$/),
    });
  });

  it('a machine without the CLI: how to install it, and no call', async () => {
    const detail = 'There is no `gemini` on PATH, and npx could not provide it.';
    const lookedIn = ['/home/ada/.npm-global/bin', '/usr/local/bin'];
    const checks = await look({ locateCli: async () => ({ found: false, detail, passedOver: [], lookedIn }) });
    expect(checks.find(({ name }) => name === 'Gemini CLI')).toEqual({
      name: 'Gemini CLI',
      status: 'fail',
      found: detail,
      lookedIn,
      fix: expect.stringContaining('npm install -g @google/gemini-cli'),
    });
    const names = checks.map(({ name }) => name);
    expect(names).not.toContain('Call');
    expect(names).not.toContain('Warm process');
  });

  it.each([
    ['node', '0.61.0 at /usr/bin/gemini (found next to the Node that runs the server)'],
    ['usual-place', '0.61.0 at /usr/bin/gemini (found in a usual place outside PATH)'],
    ['npx', '0.61.0 at /usr/bin/gemini (found by npx)'],
  ] as const)('a CLI found by %s: where', async (foundBy, found) => {
    const location = cliOf('0.61.0');
    const elsewhere = location.found
      ? { ...location, cli: { ...location.cli, foundBy }, lookedIn: ['/usr/local/bin'] }
      : location;
    expect(await lookAt('Gemini CLI', { locateCli: async () => elsewhere })).toMatchObject({ status: 'ok', found });
  });

  it('SYSTEM-01: advises no installation where the CLI could not be looked for', async () => {
    const detail = 'This program has no free file descriptors (EMFILE).';
    const locateCli = async () => ({ found: false, detail, passedOver: [], lookedIn: [], isShortage: true }) as const;
    const check = (await look({ locateCli })).find(({ name }) => name === 'Gemini CLI');
    expect(check).toMatchObject({ status: 'fail', found: detail });
    expect(check?.fix).not.toContain('npm install');
  });

  it.each([
    ['0.55.0', 'warn', 'older than the tested versions'],
    ['0.55.1', 'ok', '0.55.1 at'],
    ['0.61.9', 'ok', '0.61.9 at'],
    ['0.62.0-nightly.1', 'warn', 'newer than the tested versions'],
    ['1.0.0', 'warn', 'newer than the tested versions'],
    [null, 'warn', 'unknown version'],
  ])('CLI %s: %s', async (version, status, found) => {
    const check = await lookAt('Gemini CLI', { locateCli: async () => cliOf(version) });
    expect(check).toMatchObject({ status, found: expect.stringContaining(found) });
    expect(check?.fix === null).toBe(status === 'ok');
  });

  it.each<[string, Partial<Login>, string]>([
    ['nothing at all', {}, 'aistudio.google.com/apikey'],
    ['a key that is chosen and missing', { authType: 'gemini-api-key' }, 'aistudio.google.com/apikey'],
    ['an account that is chosen and not logged in', { authType: 'oauth-personal' }, 'aistudio.google.com/apikey'],
    ['Vertex AI without a project', { authType: 'vertex-ai' }, 'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION'],
    [
      'Vertex AI without a place',
      { authType: 'vertex-ai', variables: new Set(['GOOGLE_CLOUD_PROJECT']) },
      'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION',
    ],
  ])('no login (%s): what to set, and no call', async (_, login, fix) => {
    const checks = await look(loginOf(login));
    expect(checks.find(({ name }) => name === 'Login')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining(fix),
    });
    expect(checks.map(({ name }) => name)).not.toContain('Call');
  });

  it.each<[Partial<Login>, string]>([
    [{ authType: 'gemini-api-key', hasKeptCredentials: true }, 'an API key stored by the CLI'],
    [{ authType: 'oauth-personal', hasAccount: true }, 'a Google account; Google serves only accounts with'],
    [{ authType: 'vertex-ai', variables: new Set(['GOOGLE_API_KEY']) }, 'Vertex AI'],
    [{ authType: 'compute-default-credentials' }, 'the cloud credentials of this machine'],
  ])('login %j', async (login, found) => {
    expect(await lookAt('Login', loginOf(login))).toMatchObject({
      status: 'ok',
      found: expect.stringContaining(found),
    });
  });

  it('a state directory that cannot be written: which, why, and the variable that names another', async () => {
    expect(await lookAt('State directory', { findStateProblem: async () => 'EACCES: permission denied' })).toEqual({
      name: 'State directory',
      status: 'fail',
      found: '/state cannot be used: EACCES: permission denied',
      fix: expect.stringContaining('GEMINI_MCP_STATE_DIR'),
    });
  });

  it('a shared store: where, or its problem; and no row without one', async () => {
    expect(await lookAt('Shared store', {})).toBeUndefined();
    const shared = { ...configuration, store: 'redis://db:6379' };
    const lookAtStore = async (problem: string | null): Promise<Check | undefined> => {
      const probes = { ...sound, findStoreProblem: async () => problem };
      const options = { program: sampleProgram, configuration: shared, probes, call: false };
      return (await diagnose(options, new AbortController().signal)).find(({ name }) => name === 'Shared store');
    };
    const found = 'redis://db:6379, names begin with gemini-mcp';
    expect(await lookAtStore(null)).toEqual({ name: 'Shared store', status: 'ok', found, fix: null });
    expect(await lookAtStore('the shared store at redis://db:6379 is full')).toEqual({
      name: 'Shared store',
      status: 'fail',
      found: 'the shared store at redis://db:6379 is full',
      fix: expect.stringContaining('unset GEMINI_MCP_STORE'),
    });
  });

  it('a root that cannot be read: which, why, and its variable', async () => {
    const withRoots = { ...configuration, roots: ['/closed'], trustedDirectories: ['/open'] };
    const findReadProblem = async (path: string): Promise<string | null> => (path === '/closed' ? 'EACCES' : null);
    const options = {
      program: sampleProgram,
      configuration: withRoots,
      probes: { ...sound, findReadProblem },
      call: false,
    };
    const checks = await diagnose(options, new AbortController().signal);
    expect(checks).toContainEqual({
      name: 'Root',
      status: 'fail',
      found: '/closed cannot be read: EACCES',
      fix: expect.stringContaining('GEMINI_MCP_ROOTS'),
    });
    expect(checks).toContainEqual({ name: 'Trusted directory', status: 'ok', found: '/open', fix: null });
  });

  it('SWAP-04: shows the real path at which a linked root was pinned', async () => {
    const linked = { ...configuration, roots: ['/docs'], pinnedPaths: new Map([['/docs', '/data/docs']]) };
    const checks = await diagnose(
      { program: sampleProgram, configuration: linked, probes: sound, call: false },
      new AbortController().signal,
    );
    const found = '/docs, a link to /data/docs; the server follows it once, at its start';
    expect(checks).toContainEqual({ name: 'Root', status: 'ok', found, fix: null });
  });

  it.each([
    [['bwrap'], 'linux', 'warn', 'bwrap, but no program that the CLI can use'],
    [[], 'linux', 'warn', 'no sandbox program is installed'],
    [['podman', 'setpriv'], 'linux', 'ok', 'podman, setpriv'],
    [['sandbox-exec'], 'darwin', 'ok', 'sandbox-exec'],
    [['sandbox-exec'], 'linux', 'warn', 'sandbox-exec, but no program that the CLI can use'],
  ] as const)('sandbox by %j on %s: %s', async (programs, platform, status, found) => {
    const there: readonly string[] = programs;
    const findProgram = async (name: string): Promise<string | null> => (there.includes(name) ? `/bin/${name}` : null);
    expect(await lookAt('Sandbox', { findProgram, platform })).toMatchObject({ status, found });
  });

  it.each<[GeminiFailure, string, string]>([
    [{ kind: 'tier-retired', excerpt: '' }, 'fail', 'API key from Google AI Studio'],
    [{ kind: 'authentication', problem: 'rejected', excerpt: '' }, 'fail', 'Check GEMINI_API_KEY'],
    [{ kind: 'timeout' }, 'fail', 'Give a longer'],
    [{ kind: 'quota-exhausted', excerpt: '' }, 'warn', 'Name another model'],
    [{ kind: 'model-not-found', excerpt: '' }, 'warn', 'Name another model'],
  ])('a call that ends in %j: %s, with what to do', async (failure, status, fix) => {
    expect(await lookAt('Call', { tryCall: async () => ({ durationMs: 900, failure }) })).toMatchObject({
      status,
      found: expect.stringMatching(/^gemini-a gave no answer \(0\.9 s\): ./),
      fix: expect.stringContaining(fix),
    });
  });

  it('reports a CLI that cannot run warm, and still makes the call', async () => {
    const checks = await look({ tryWarm: async () => ({ durationMs: 700, problem: 'Unknown argument: acp' }) });
    expect(checks.find(({ name }) => name === 'Warm process')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('Unknown argument: acp'),
    });
    expect(checks.at(-1)).toMatchObject({ name: 'Call', status: 'ok' });
  });

  it('starts no process to keep for a runner that is headless', async () => {
    const tryWarm = (): Promise<never> => Promise.reject(new Error('not to be called'));
    const headless = { ...configuration, runner: 'headless' } as const;
    const options = { program: sampleProgram, configuration: headless, probes: { ...sound, tryWarm }, call: false };
    const checks = await diagnose(options, new AbortController().signal);
    expect(checks.at(-1)).toEqual({
      name: 'Warm process',
      status: 'ok',
      found: 'not used: the runner is headless',
      fix: null,
    });
  });

  const viaApi: Partial<DoctorProbes> = { findApi: async () => ({ login: 'gemini-key', problem: null }) };
  const noCli: GeminiCliLocation = { found: false, detail: 'There is no `gemini`.', passedOver: [], lookedIn: [] };

  it('a key for the API and no CLI: nothing to do, and a call all the same', async () => {
    expect(await look({ ...viaApi, locateCli: async () => noCli })).toEqual([
      { name: 'Node', status: 'ok', found: '22.12.0', fix: null },
      {
        name: 'Way',
        status: 'ok',
        found: 'the Gemini API, with an API key; sandbox and yolo need the Gemini CLI',
        fix: null,
      },
      {
        name: 'Gemini CLI',
        status: 'ok',
        found: 'not installed; not needed with an API key or Vertex AI (only sandbox and yolo use it)',
        fix: null,
      },
      { name: 'Login', status: 'ok', found: 'an API key, in the environment', fix: null },
      { name: 'State directory', status: 'ok', found: '/state', fix: null },
      { name: 'Working directory', status: 'ok', found: '/project', fix: null },
      { name: 'Models', status: 'ok', found: 'gemini-a, gemini-b', fix: null },
      { name: 'Command sandbox', status: 'ok', found: 'bubblewrap', fix: null },
      { name: 'Call', status: 'ok', found: 'gemini-a answered in 1.4 s', fix: null },
    ]);
  });

  it('neither a login nor a CLI: how to get a login, and nothing else to do', async () => {
    const locateCli = async () => ({ ...noCli, lacksLogin: true }) as const;
    const checks = await look({ ...loginOf({}), locateCli });
    expect(checks.filter(({ fix }) => fix !== null)).toEqual([
      {
        name: 'Login',
        status: 'fail',
        found: 'missing: no key in the environment, and no login in the CLI',
        fix: 'Make an API key at https://aistudio.google.com/apikey and store it with `gemini-mcp-server login`, or set GEMINI_API_KEY in the environment of this server.',
      },
    ]);
    expect(checks.map(({ name }) => name)).not.toContain('Way');
  });

  async function lookWith(runner: RunnerPreference, probes: Partial<DoctorProbes>): Promise<readonly Check[]> {
    const options = { program: sampleProgram, configuration: { ...configuration, runner }, call: true };
    return diagnose({ ...options, probes: { ...sound, ...probes } }, new AbortController().signal);
  }

  it('looks for no CLI where the API alone is asked', async () => {
    const locateCli = (): Promise<never> => Promise.reject(new Error('not to be called'));
    const checks = await lookWith('api', { ...viaApi, locateCli });
    expect(checks.find(({ name }) => name === 'Gemini CLI')?.found).toBe('not used: the runner is api');
    expect(checks.map(({ name }) => name)).toEqual(
      expect.not.arrayContaining(['Sandbox', 'Warm process', 'Skipped program']),
    );
    expect(checks.at(-1)).toMatchObject({ name: 'Call', status: 'ok' });
  });

  it('warns of a CLI that is set and not there, also where calls do without', async () => {
    const set = { ...configuration, cli: '/nowhere/gemini' };
    const probes = { ...sound, ...viaApi, locateCli: async () => noCli };
    const options = { program: sampleProgram, configuration: set, probes, call: true };
    const checks = await diagnose(options, new AbortController().signal);
    expect(checks.find(({ name }) => name === 'Gemini CLI')).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('GEMINI_MCP_CLI'),
    });
    expect(checks.at(-1)).toMatchObject({ name: 'Call', status: 'ok' });
  });

  it.each<[RunnerPreference, Partial<DoctorProbes>, Partial<Check>]>([
    ['api', {}, { status: 'fail', fix: expect.stringContaining('aistudio.google.com/apikey') }],
    ['warm', {}, { status: 'ok', found: 'the Gemini CLI, because GEMINI_MCP_RUNNER is warm' }],
    [
      'auto',
      { findApi: async () => ({ login: null, problem: 'GOOGLE_GEMINI_BASE_URL must begin with https://' }) },
      { status: 'warn', found: expect.stringContaining('GOOGLE_GEMINI_BASE_URL') },
    ],
    [
      'api',
      { findApi: async () => ({ login: null, problem: 'GOOGLE_GEMINI_BASE_URL must begin with https://' }) },
      { status: 'fail', found: expect.stringContaining('GOOGLE_GEMINI_BASE_URL') },
    ],
  ])('says which way calls go, and why: %s %j', async (runner, probes, check) => {
    const checks = await lookWith(runner, probes);
    expect(checks.find(({ name }) => name === 'Way')).toMatchObject(check);
    expect(checks.some(({ name }) => name === 'Call')).toBe(check.status !== 'fail');
  });

  it('makes no call with call: false', async () => {
    const tryCall = (): Promise<never> => Promise.reject(new Error('not to be called'));
    expect((await look({ tryCall }, false)).map(({ name }) => name)).not.toContain('Call');
  });

  it('lists the upstreams, and the problems of their settings by file and line', async () => {
    const read = (problems: readonly string[]) => ({ readServers: async () => ({ names: ['a', 'b'], problems }) });
    expect(await lookAt('Other servers', {})).toBeUndefined();
    expect(await lookAt('Other servers', read([]))).toMatchObject({ status: 'ok', found: 'a, b' });
    const many = Array.from({ length: 7 }, (_, index) => `/settings.json:${index}: Is wrong.`);
    expect(await lookAt('Other servers', read(many))).toMatchObject({
      status: 'warn',
      found: `a, b. ${many.slice(0, 5).join(' ')} And 2 more.`,
    });
  });
});
