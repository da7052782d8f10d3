import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Surface } from '@gemini-mcp/mcp';
import { expect, it } from 'vitest';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import { fileAccessOfRoots, fileAccessOfServer, type Reach } from '../file-access/reach.ts';
import { createEarlyLog } from '../log/early-log.ts';
import { type Configuration, readConfiguration } from '../settings/read-configuration.ts';
import { composeInTest } from '../testing/compose-in-test.ts';
import type { ComposedServer } from './compose-server.ts';

const withoutFiles: Reach = { roots: null, mayReadFiles: false, noFilesText: null, allowsYolo: true };

function configurationOf(settings: Readonly<Record<string, string>>, currentDirectory: string): Configuration {
  const environment = { ...settings, HOME: '/home/ada', GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  return readConfiguration({ environment, currentDirectory }).configuration;
}

function compose(configuration: Configuration): ComposedServer {
  return composeInTest({
    configuration,
    environment: {},
    api: null,
    log: createEarlyLog({ level: 'silent', redact: (text) => text, stream: { write: () => undefined } }),
    failureWords: serverFailureWords,
    furtherRoots: [],
    hasSeveralOwners: false,
    privateFiles: [],
    agentModeByDefault: 'full',
    version: '1',
    isOfOneUser: true,
  });
}

async function manualOf({ resources }: Surface): Promise<string> {
  const context = { owner: 'ada', clientName: null, signal: new AbortController().signal };
  const pages = await Promise.all(resources.map((shelf) => shelf.read('gemini://manual', context)));
  return pages.find((page) => page !== null && 'text' in page)?.text ?? '';
}

const permitsYolo = ({ tools }: Surface): boolean | undefined =>
  tools.find(({ name }) => name === 'geminiChat')?.annotations.destructiveHint;

it('names the working directory in the manual, unless no files may be read', async () => {
  const configuration = configurationOf({}, tmpdir());
  const { surfaceOf } = compose(configuration);
  expect(await manualOf(surfaceOf(fileAccessOfServer(configuration)))).toContain(`"${tmpdir()}"`);
  const narrow = await manualOf(surfaceOf(fileAccessOfRoots(['/home/bob/project'])));
  expect(narrow).toContain('"/home/bob/project"');
  expect(narrow).not.toContain(tmpdir());
  expect(await manualOf(surfaceOf(withoutFiles))).not.toContain(tmpdir());
});

it('reads no files below a directory that is not a root, even with the file access of the server', async () => {
  const { surfaceOf } = compose(configurationOf({}, '/'));
  const asked: Reach = { roots: null, mayReadFiles: true, noFilesText: null, allowsYolo: true };
  expect(await manualOf(surfaceOf(asked))).toBe(await manualOf(surfaceOf(withoutFiles)));
});

it('permits yolo only if both the operator and the file access allow it', () => {
  const configuration = configurationOf({ GEMINI_MCP_ALLOW_YOLO: '1' }, tmpdir());
  const { surfaceOf } = compose(configuration);
  const reach = fileAccessOfServer(configuration);
  expect(permitsYolo(surfaceOf(reach))).toBe(true);
  expect(permitsYolo(surfaceOf({ ...reach, allowsYolo: false }))).toBe(false);
  expect(permitsYolo(compose({ ...configuration, allowYolo: false }).surfaceOf(reach))).toBe(false);
});
