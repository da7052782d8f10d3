import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  exploreHostileProject,
  HostileProject,
  PackedServer,
  projectStarts,
  runnersUnderTest,
} from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url));

describe('the packed server in a hostile project', () => {
  let packed: PackedServer;
  let setup: ServerSetup;
  let project: HostileProject;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    packed = await PackedServer.create(packageDirectory, 'gemini-mcp-server');
  });

  afterAll(() => packed.remove());

  beforeEach(async () => {
    setup = await ServerSetup.create();
    project = await HostileProject.create({ directory: setup.project, outside: join(setup.root, 'outside') });
  });

  afterEach(async () => {
    server?.kill('SIGKILL');
    await server?.ended;
    await setup.dispose();
  });

  // A start and a way of running the CLI have nothing to do with each other.
  it.each(
    projectStarts.map((start, index) => [start, runnersUnderTest[index % runnersUnderTest.length] ?? 'warm'] as const),
  )(
    'PROGRAM-01, PROGRAM-05, CONFIG-01, PATH-04: runs nothing of it and shows nothing outside of it, started by %s (%s)',
    async (start, runner) => {
      const { command, environment } = await packed.plan(start, project);
      const started = new ServerProcess({
        command,
        cwd: setup.project,
        environment: { ...setup.environment(), ...environment, GEMINI_MCP_RUNNER: runner },
      });
      server = started;
      await server.initialize();
      const { query, chat, received } = await exploreHostileProject({
        api: setup.api,
        call: (name, args) => started.call(name, args),
      });
      server.endInput();
      await server.ended;
      expect(await project.whatRan()).toEqual([]);
      expect(query).toMatchObject({ isError: false, text: expect.stringContaining('answered') });
      expect(chat).toMatchObject({ isError: false, text: expect.stringContaining('looked') });
      expect(received).toContain('a plain line');
      // The results of the tools of chat.
      expect(received).toMatch(/"functionResponse":\{[^}]*"name":"[a-z_]*search_files"/);
      expect(received).not.toContain(project.secret);
      expect(`${query.text}${chat.text}${server.stderr}`).not.toContain(project.secret);
      expect(server.stderr).toMatch(/cli-passed-over/);
    },
  );
});
