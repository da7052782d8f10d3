import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from './workbench.ts';

/** A home in which the CLI works with an API key, as a user has it. Resolves to the variables that make it one. */
export async function prepareUsualHome(workbench: Workbench): Promise<Readonly<Record<string, string>>> {
  const home = await workbench.makeDirectory();
  const settings = { security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } } };
  await mkdir(join(home, '.gemini'));
  await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  return { HOME: home, GEMINI_CLI_HOME: home };
}
