import { plainInstruction, plainRunSettings, type RunRequest, type RunSettings } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { WorkDirectory } from '../work-directory.ts';
import { planRun, type RunPlan, type Surroundings } from './headless-transport.ts';

const directory = {
  runId: 'id',
  root: '/runs/id',
  workspace: '/runs/id/workspace',
  home: '/runs/id/home',
};

function plan(
  settings: Partial<RunSettings> = {},
  request: Partial<RunRequest> = {},
  place: WorkDirectory = { kind: 'empty' },
  toolSession: Surroundings['toolSession'] = null,
): RunPlan {
  return planRun(
    { model: 'm', input: 'Hi', deadlineAtMs: 0, ...request },
    { ...plainRunSettings, ...settings },
    { directory, place, authType: 'gemini-api-key', toolSession },
  );
}

function pathsOf({ files }: RunPlan): readonly string[] {
  return files.map(({ path }) => path);
}

const cliSettings = z.object({
  model: z.object({ maxSessionTurns: z.number() }),
  tools: z.looseObject({ core: z.array(z.string()) }).optional(),
  mcpServers: z.unknown().optional(),
  modelConfigs: z.object({
    customAliases: z.object({ 'web-search': z.unknown() }).optional(),
    customOverrides: z.unknown().optional(),
  }),
});

function settingsOf({ files }: RunPlan): z.infer<typeof cliSettings> {
  const file = files.find(({ path }) => path === 'home/.gemini/settings.json');
  return cliSettings.parse(JSON.parse(String(file?.content)));
}

const usual = ['home/.gemini/settings.json', 'home/.gemini/commands/gemini-mcp-request.toml'];
const flags = [
  '--model=m',
  '--output-format=stream-json',
  '--policy=/runs/id/policy.toml',
  '--admin-policy=/runs/id/policy.toml',
];
const lastFlags = ['--allowed-mcp-server-names=none', '--extensions=none'];

describe('planRun', () => {
  it('a plain run takes place in the empty workspace, with nothing but our settings', () => {
    const planned = plan();
    expect(pathsOf(planned)).toEqual([...usual, 'policy.toml', 'system.md']);
    expect(planned).toMatchObject({ cwd: directory.workspace, arguments: [...flags, ...lastFlags] });
    expect(settingsOf(planned).tools).toBeUndefined();
    expect(settingsOf(planned).modelConfigs.customAliases).toBeUndefined();
  });

  it('puts the request into files, with flags and variables that point to them', () => {
    const planned = plan(
      { systemPrompt: 'Be terse.' },
      {
        history: [{ role: 'user', text: 'Hi' }],
        media: [{ path: '../a', mediaType: 'image/jpeg', bytes: new Uint8Array([1, 2]) }],
      },
    );
    expect(pathsOf(planned)).toEqual([...usual, 'policy.toml', 'system.md', 'history.jsonl', 'media/id-1.jpg']);
    expect(planned.files.at(-1)?.content).toEqual(new Uint8Array([1, 2]));
    expect(planned.arguments).toEqual([
      ...[...flags, ...lastFlags],
      '--session-file=/runs/id/history.jsonl',
      '--include-directories=/runs/id/media',
    ]);
    expect(planned.variables).toEqual({ GEMINI_SYSTEM_MD: '/runs/id/system.md' });
  });

  it('a run without all tools has the plain instruction', () => {
    for (const { files, variables } of [plan(), plan({ tools: 'web-search' })]) {
      expect(files.find(({ path }) => path === 'system.md')?.content).toBe(plainInstruction);
      expect(variables).toEqual({ GEMINI_SYSTEM_MD: '/runs/id/system.md' });
    }
  });

  it("a run with all tools has the CLI's own system prompt", () => {
    const planned = plan({ tools: 'everything' });
    expect(pathsOf(planned)).not.toContain('system.md');
    expect(planned.variables).toEqual({});
  });

  it('a search asks the model of the run, a few times', () => {
    const settings = settingsOf(plan({ tools: 'web-search' }, { model: 'flash' }));
    expect(settings.tools?.core).toEqual(['google_web_search']);
    expect(settings.model.maxSessionTurns).toBe(8);
    expect(settings.modelConfigs.customAliases?.['web-search']).toEqual({
      extends: 'base',
      modelConfig: { model: 'gemini-3.8-flash', generateContentConfig: { tools: [{ googleSearch: {} }] } },
    });
  });

  it.each([
    ['gemini-api-key', false, '{"store":false}'],
    ['gemini-api-key', true, undefined],
    ['vertex-ai', false, undefined],
    ['oauth-personal', false, undefined],
  ] as const)('Google is asked to store nothing with a key alone (%s, logs allowed: %s)', (authType, allowed, body) => {
    const surroundings = {
      directory,
      place: { kind: 'empty' },
      authType,
      allowsGoogleLogs: allowed,
      toolSession: null,
    } as const;
    const planned = planRun({ model: 'm', input: 'Hi', deadlineAtMs: 0 }, plainRunSettings, surroundings);
    const { customOverrides } = settingsOf(planned).modelConfigs;
    expect(/"extraBody":(\{.*?\})/.exec(JSON.stringify(customOverrides) ?? '')?.[1]).toBe(body);
  });

  it('a trusted directory is where the CLI runs', () => {
    const planned = plan({ tools: 'everything' }, {}, { kind: 'trusted', directory: '/project' });
    expect(planned.cwd).toBe('/project');
    expect(pathsOf(planned)).toEqual(usual);
    expect(planned.arguments.join()).not.toContain('/project');
  });

  it('a run that may do everything has no policy, and its directory in addition to the workspace', () => {
    const planned = plan({ tools: 'everything' }, {}, { kind: 'added', directory: '/project' });
    expect(pathsOf(planned)).toEqual(usual);
    expect(planned.arguments).toEqual([
      ...['--model=m', '--output-format=stream-json', '--approval-mode=yolo'],
      ...[...lastFlags, '--include-directories=/project'],
    ]);
    expect(settingsOf(planned).tools).toBeUndefined();
  });

  it('mounts only the files of the run in a container', () => {
    const planned = plan({ sandbox: true, tools: 'everything' }, {}, { kind: 'added', directory: '/project' });
    expect(planned.arguments).toContain('--sandbox');
    expect(pathsOf(planned)).toContain('commands/gemini-mcp-request.toml');
    expect(planned.variables).toEqual({
      SANDBOX_MOUNTS: '/runs/id/commands:/home/node/.gemini/commands:ro,/project:/project:rw',
      SANDBOX_ENV: 'GEMINI_CLI_HOME=/home/node,GEMINI_CLI_TRUST_WORKSPACE=true',
    });
    const [mounts] = [plan({ sandbox: true, systemPrompt: 'x' }).variables['SANDBOX_MOUNTS']];
    expect(mounts).toContain('/runs/id/policy.toml:/runs/id/policy.toml:ro,/runs/id/system.md:/runs/id/system.md:ro');
  });

  it('a run with model tools has these alone, whole results and more turns', () => {
    const toolSession = { url: 'http://127.0.0.1:7/r/a', token: '0f' };
    const planned = plan({}, {}, { kind: 'empty' }, toolSession);
    expect(planned.arguments).toContain('--allowed-mcp-server-names=lend');
    expect(settingsOf(planned)).toMatchObject({
      model: { maxSessionTurns: 1_000 },
      tools: { core: ['mcp_*'], truncateToolOutputThreshold: 0 },
      mcpServers: { lend: { url: toolSession.url } },
    });
    const policy = planned.files.find(({ path }) => path === 'policy.toml');
    expect(String(policy?.content)).toContain('toolName = ["mcp_*"]\ndecision = "allow"');
    expect([...planned.arguments, ...Object.values(planned.variables)].join('\n')).not.toContain('0f');
  });
});
