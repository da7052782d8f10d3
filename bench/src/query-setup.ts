import { generateRepository, type RepositorySize } from './generate-repository.ts';
import { startOfflineApi } from './offline-api.ts';
import { serverEnvironment } from './server-environment.ts';
import type { Workbench } from './workbench.ts';

/** What all benchmarks of whole calls share: files to ask about, a home, an API that answers at once. */
export type QuerySetup = {
  readonly home: string;
  readonly project: string;
  /** Of a server that keeps the CLI warm; without the CLI that it is to use. */
  readonly environment: Readonly<Record<string, string>>;
  readonly query: { readonly prompt: string; readonly directories: readonly string[]; readonly model: string };
};

const usualSize: RepositorySize = { files: 40, bytes: 400_000 };

/** A few files that are soon read and sent. */
export const smallSize: RepositorySize = { files: 3, bytes: 6_000 };

export async function setUpQueries(workbench: Workbench, size: RepositorySize = usualSize): Promise<QuerySetup> {
  const home = await workbench.makeDirectory();
  return {
    home,
    project: await generateRepository(workbench, size),
    environment: { ...serverEnvironment(home), GEMINI_MCP_RUNNER: 'warm', ...(await startOfflineApi(workbench)) },
    query: { prompt: 'What is this about?', directories: ['.'], model: 'gemini-3.1-pro-preview' },
  };
}

/** The same for a server that starts a new CLI for each call. */
export function headless(setup: QuerySetup): QuerySetup {
  return { ...setup, environment: { ...setup.environment, GEMINI_MCP_RUNNER: 'headless' } };
}
