import { generateRepository } from './generate-repository.ts';
import { startOfflineApi } from './offline-api.ts';
import { serverEnvironment } from './server-environment.ts';
import type { Workbench } from './workbench.ts';

/** What all benchmarks of whole calls share: files to ask about, a home, an API that answers at once. */
export type QuerySetup = {
  readonly home: string;
  readonly project: string;
  /** Of a server; without the CLI that it is to use. */
  readonly environment: Readonly<Record<string, string>>;
  readonly query: { readonly prompt: string; readonly directories: readonly string[]; readonly model: string };
};

export async function setUpQueries(workbench: Workbench): Promise<QuerySetup> {
  const home = await workbench.makeDirectory();
  return {
    home,
    project: await generateRepository(workbench, { files: 40, bytes: 400_000 }),
    environment: { ...serverEnvironment(home), ...(await startOfflineApi(workbench)) },
    query: { prompt: 'What is this about?', directories: ['.'], model: 'gemini-2.5-pro' },
  };
}
