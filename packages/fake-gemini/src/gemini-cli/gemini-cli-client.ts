import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OfflinePlace } from '../offline-place.ts';
import { runTestProgram, type TestProgramEnd } from '../processes/run-program.ts';
import { geminiCliUnderTest } from './gemini-cli-under-test.ts';

/** The real Gemini CLI as a client of MCP servers, with its own home. */
export class GeminiCliClient {
  readonly #place: OfflinePlace;
  readonly #home: string;

  private constructor(place: OfflinePlace) {
    this.#place = place;
    // Its project must not be its home: there it ignores project settings.
    this.#home = join(place.root, 'home');
  }

  static async create(place: OfflinePlace): Promise<GeminiCliClient> {
    const client = new GeminiCliClient(place);
    // Do not restrict the CLI's own requests to Google.
    place.storesRequests = true;
    await mkdir(join(client.#home, '.gemini'), { recursive: true });
    await client.writeSettings({});
    return client;
  }

  /** Replaces the settings of its user, except for the login. */
  writeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    return writeFile(
      join(this.#home, '.gemini', 'settings.json'),
      JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, ...settings }),
    );
  }

  /** Runs it to its end, for a minute at most. */
  run(args: readonly string[], input = ''): Promise<TestProgramEnd> {
    const { api, project } = this.#place;
    const environment = {
      PATH: process.env['PATH'],
      HOME: this.#home,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
      NO_COLOR: '1',
      ...api.environment(),
    };
    return runTestProgram({ file: geminiCliUnderTest, args, cwd: project, environment, input });
  }
}
