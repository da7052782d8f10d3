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
import { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';
import { McpHttpClient } from './mcp-http-client.ts';

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url));

describe('the packed HTTP server in a hostile project', () => {
  let packed: PackedServer;
  let setup: HttpSetup;
  let project: HostileProject;
  let server: HttpServerProcess | undefined;

  beforeAll(async () => {
    packed = await PackedServer.create(packageDirectory, 'gemini-mcp-server-http');
  });

  afterAll(() => packed.remove());

  beforeEach(async () => {
    setup = await HttpSetup.create();
    project = await HostileProject.create({ directory: setup.project, outside: join(setup.root, 'outside') });
  });

  afterEach(async () => {
    server?.kill('SIGKILL');
    await server?.ended;
    await setup.dispose();
  });

  // Every start, with every runner, is tested over stdio.
  describe.each(projectStarts.slice(0, 1))('started by %s', (start) => {
    it.each(runnersUnderTest.slice(0, 1))(
      'PROGRAM-01, PROGRAM-05, CONFIG-01, PATH-04: runs none of its programs and reveals nothing outside it (%s)',
      async (runner) => {
        const { command, environment } = await packed.plan(start, project);
        const given = { GEMINI_MCP_RUNNER: runner, GEMINI_MCP_TOKEN: token, GEMINI_MCP_PORT: '0' };
        server = new HttpServerProcess({
          command,
          cwd: setup.project,
          environment: { ...setup.environment(), ...environment, ...given },
        });
        const client = new McpHttpClient({ origin: (await server.ready()).origin, token });
        const { query, chat, received } = await exploreHostileProject({
          api: setup.api,
          call: (name, args) => client.call(name, args),
        });
        server.kill('SIGTERM');
        await server.ended;
        expect(await project.whatRan()).toEqual([]);
        expect(query).toMatchObject({ isError: false, text: expect.stringContaining('answered') });
        expect(chat).toMatchObject({ isError: false, text: expect.stringContaining('looked') });
        expect(received).toContain('a plain line');
        // The results of the chat's tools.
        expect(received).toMatch(/"functionResponse":\{[^}]*"name":"[a-z_]*search_files"/);
        expect(received).not.toContain(project.secret);
        expect(`${query.text}${chat.text}${server.stderr}`).not.toContain(project.secret);
        expect(server.stderr).toMatch(/cli-passed-over/);
      },
    );
  });
});
