import { type ExecFileException, execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { geminiCliUnderTest } from './gemini-cli-under-test.ts';
import type { OfflinePlace } from './offline-place.ts';

/** What a run of the CLI has left. */
export type GeminiCliSaid = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** The real Gemini CLI as a client of MCP servers, with a home of its own. */
export class GeminiCliClient {
  readonly #place: OfflinePlace;
  readonly #home: string;

  private constructor(place: OfflinePlace) {
    this.#place = place;
    // Its project must be another directory than its home, of which it reads no project settings.
    this.#home = join(place.root, 'home');
  }

  static async create(place: OfflinePlace): Promise<GeminiCliClient> {
    const client = new GeminiCliClient(place);
    // What it asks Google by itself is not ours to bound.
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

  /** Runs it to its end, which a minute brings at the latest. */
  run(args: readonly string[], input = ''): Promise<GeminiCliSaid> {
    const { api, project } = this.#place;
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#home,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: '1',
      NO_COLOR: '1',
      ...api.environment(),
    };
    return new Promise((resolve) => {
      const options = { cwd: project, env, timeout: 60_000 };
      const child = execFile(process.execPath, [geminiCliUnderTest, ...args], options, (error, stdout, stderr) =>
        resolve({ exitCode: exitCodeOf(error), stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }
}

/** Null for one that was ended: it has not succeeded. */
function exitCodeOf(error: ExecFileException | null): number | null {
  if (error === null) {
    return 0;
  }
  return typeof error.code === 'number' ? error.code : null;
}
