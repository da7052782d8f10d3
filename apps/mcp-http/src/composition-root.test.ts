import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuestionOutcome } from '@gemini-mcp/mcp';
import { cannotAsk, prepareCall } from '@gemini-mcp/mcp/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import type { InjectionToken } from 'tsyringe';
import { expect, it } from 'vitest';
import { FailureThrottle } from './access/failure-throttle.ts';
import type { Access } from './access/open-access.ts';
import type { Principal } from './access/principal.ts';
import { localPrincipal } from './access/principal.ts';
import { StaticTokens } from './access/tokens/read-principals.ts';
import { composeHttpServer } from './composition-root.ts';
import { createKeptLog } from './operation/testing/served-app.ts';
import { readHttpConfiguration } from './settings/read-http-configuration.ts';
import * as tokens from './tokens.ts';

const compose = (settings: Readonly<Record<string, string>> = {}): ReturnType<typeof composeHttpServer> => {
  const environment = { ...settings, HOME: '/home/ada', GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  const { configuration, http } = readHttpConfiguration({ environment, currentDirectory: tmpdir() });
  const access: Access = {
    staticTokens: new StaticTokens([]),
    throttle: new FailureThrottle(),
    principals: [],
    stamp: null,
    hasSeveralOwners: false,
    localToken: null,
  };
  return composeHttpServer({ configuration, http, environment, api: null, access, log: createKeptLog([]) });
};

// Without an issuer there is no OAuth, and without a key the API offers no model list.
const { OAUTH: _, PARTS, ...others } = tokens;
const { knownModels: _unknown, ...parts } = PARTS;

it.each(Object.entries<InjectionToken<unknown>>({ ...others, ...parts }))(
  'resolves %s to one instance',
  (__, token) => {
    const container = compose();
    const resolved = container.resolve(token);
    expect(resolved).toBeDefined();
    expect(container.resolve(token)).toBe(resolved);
  },
);

it('shares nothing between two servers in one process', () => {
  expect(compose().resolve(PARTS.runner)).not.toBe(compose().resolve(PARTS.runner));
});

it('does not undo if the operator forbids changes', () => {
  const { tools } = compose().resolve(tokens.SURFACES).of(localPrincipal);
  expect(tools.map(({ name }) => name)).not.toContain('gemini_undo');
  expect(tools.find(({ name }) => name === 'gemini_agent')?.annotations.readOnlyHint).toBe(true);
});

it('offers every principal all tools, with a surface for each reach', () => {
  const surfaces = compose({ GEMINI_MCP_AGENT: 'full' }).resolve(tokens.SURFACES);
  const surface = surfaces.of(localPrincipal);
  expect(surface.tools.map(({ name }) => name).toSorted()).toEqual(toolDeclarations.map(({ name }) => name).toSorted());
  expect(surfaces.of(localPrincipal)).toBe(surface);
  const elsewhere = surfaces.of({ ...localPrincipal, roots: [join(tmpdir(), 'elsewhere')] });
  expect(elsewhere.tools.map(({ name }) => name)).toEqual(surface.tools.map(({ name }) => name));
  expect(elsewhere).not.toBe(surface);
});

it('grants the rights of all directories only to principals with all directories of the server', () => {
  const surfaces = compose({ GEMINI_MCP_ALLOW_YOLO: '1' }).resolve(tokens.SURFACES);
  const mayDoEverything = (principal: Principal): boolean | undefined =>
    surfaces.of(principal).tools.find(({ name }) => name === 'geminiChat')?.annotations.destructiveHint;
  expect(mayDoEverything(localPrincipal)).toBe(true);
  expect(mayDoEverything({ ...localPrincipal, roots: [tmpdir()] })).toBe(false);
});

it("says how each principal's relative names are resolved, except to those without file access", async () => {
  const surfaces = compose({ GEMINI_CLI_WORKING_DIR: tmpdir() }).resolve(tokens.SURFACES);
  const manualOf = async (principal: Principal): Promise<string> => {
    const context = { owner: principal.owner, clientName: null, signal: new AbortController().signal };
    const { resources } = surfaces.of(principal);
    const pages = await Promise.all(resources.map((provider) => provider.read('gemini://manual', context)));
    return pages.find((page) => page !== null && 'text' in page)?.text ?? '';
  };
  const ofOwnRoots = await manualOf({ ...localPrincipal, roots: ['/home/bob/project'] });
  const withoutFiles = await manualOf({ ...localPrincipal, scopes: new Set(['gemini:chat']) });
  expect(await manualOf(localPrincipal)).toContain(`: "${tmpdir()}".`);
  expect(ofOwnRoots).toContain('"/home/bob/project"');
  expect(ofOwnRoots).not.toContain(tmpdir());
  expect(withoutFiles).toMatch(/^# Manual/);
  expect(withoutFiles).not.toContain(tmpdir());
});

it('names the working directory if a name led nowhere, except to principals without file access', async () => {
  const surfaces = compose({ GEMINI_CLI_WORKING_DIR: tmpdir() }).resolve(tokens.SURFACES);
  const previewOf = async (principal: Principal): Promise<string> => {
    const tool = surfaces.of(principal).tools.find(({ name }) => name === 'gemini_context');
    if (tool === undefined) {
      throw new Error('There is no gemini_context');
    }
    const prepared = await prepareCall(tool, { files: ['never-there.txt', '../outside.txt'] }, () => undefined);
    const { signal } = new AbortController();
    const ask = async (): Promise<QuestionOutcome> => cannotAsk('transport-cannot');
    const context = { owner: principal.owner, clientName: null, signal, progress: () => undefined, ask };
    return prepared.isAccepted ? (await prepared.run(context)).text : prepared.refusal.text;
  };
  const line = `Relative names are resolved from the working directory ${tmpdir()}`;
  expect(await previewOf(localPrincipal)).toContain(line);
  const withoutFiles = await previewOf({ ...localPrincipal, scopes: new Set(['gemini:chat']) });
  expect(withoutFiles).toContain('PATH_OUTSIDE_ROOT');
  expect(withoutFiles).not.toContain(tmpdir());
});
