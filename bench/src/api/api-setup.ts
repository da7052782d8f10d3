import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';
import { generateRepository, type RepositorySize } from '../generate-repository.ts';
import type { QuerySetup } from '../query-setup.ts';
import { readLine } from '../read-line.ts';
import { startServer } from '../server-client.ts';
import { serverEnvironment } from '../server-environment.ts';
import type { Workbench } from '../workbench.ts';

const scriptedApiProgram = fileURLToPath(new URL('../programs/scripted-api.js', import.meta.url));
const bareFetchProgram = fileURLToPath(new URL('../programs/bare-fetch.js', import.meta.url));

/** No CLI is there: whatever asks for one fails. */
export const noCli = '/nonexistent/gemini';

export type ApiSetup = QuerySetup & { readonly url: string; readonly apiKey: string };

/** Files to ask about, a home, and a scripted API in a process of its own, which a server asks itself. */
export async function setUpApi(workbench: Workbench, size: RepositorySize): Promise<ApiSetup> {
  const home = await workbench.makeDirectory();
  const api = workbench.start({
    file: process.execPath,
    arguments: [scriptedApiProgram],
    cwd: workbench.directory,
    environment: {},
  });
  const { url, environment } = JSON.parse(await readLine(api.stdout));
  return {
    home,
    url,
    apiKey: environment.GEMINI_API_KEY,
    project: await generateRepository(workbench, size),
    environment: { ...serverEnvironment(home), ...environment, GEMINI_MCP_RUNNER: 'api' },
    query: { prompt: 'What is this about?', directories: ['.'], model: 'gemini-3.8-flash' },
  };
}

/** Lets a server ask another API once, and keeps what it sent: the path of a file with all of it. */
export async function recordUploads(workbench: Workbench, setup: ApiSetup): Promise<string> {
  const api = await startOfflineGeminiApi();
  const environment = { ...setup.environment, GOOGLE_GEMINI_BASE_URL: api.url, GEMINI_API_KEY: setup.apiKey };
  const server = await startServer(workbench, { ...setup, environment }, noCli);
  await server.ask();
  await server.close();
  await api.close();
  const file = join(setup.home, 'uploads.json');
  await writeFile(file, JSON.stringify(api.requests.map(({ path, body }) => ({ path, body: JSON.stringify(body) }))));
  return file;
}

/** A process that sends recorded requests again, one after the other, as often as it is told. */
export class BareFetch {
  readonly #write: (line: string) => void;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  private constructor(write: (line: string) => void, reader: Interface) {
    this.#write = write;
    this.#reader = reader;
    this.#lines = reader[Symbol.asyncIterator]();
  }

  static async start(workbench: Workbench, { url, apiKey }: ApiSetup, uploads: string): Promise<BareFetch> {
    const child = workbench.start({
      file: process.execPath,
      arguments: [bareFetchProgram, url, apiKey, uploads],
      cwd: workbench.directory,
      environment: {},
    });
    const bare = new BareFetch((line) => child.stdin.write(line), createInterface({ input: child.stdout }));
    await bare.#lines.next();
    return bare;
  }

  /** Resolves to the time that the process took for them. */
  async ask(): Promise<number> {
    this.#write('\n');
    const { value, done = false } = await this.#lines.next();
    if (done) {
      throw new Error('The process of the bare fetch has ended');
    }
    return Number(value);
  }

  close(): void {
    this.#reader.close();
  }
}
