import { readFile, stat } from 'node:fs/promises';
import { escapeName } from '@gemini-mcp/core/internal';
import { describeProblem, readHubSettings } from '@gemini-mcp/hub';
import { digestOf } from '../hub/digest-of.ts';
import type { McpPlace, McpResult } from './mcp-place.ts';
import { done, noted, refused } from './mcp-results.ts';

const maxBytes = 1_000_000;

/** Shows the settings of the project in the current directory, and approves just what it shows: this text in this place. */
export async function approveProject(
  { confirmed }: { readonly confirmed: boolean },
  place: McpPlace,
): Promise<McpResult> {
  const path = place.paths.project;
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) {
    return refused(
      `This project has no settings of servers${path === null ? ' here' : `: there is no ${escapeName(path)}, or it cannot be read`}.`,
    );
  }
  const project = { directory: place.projectDirectory, digest: digestOf(text) };
  const shown = [`${escapeName(path)}:`, ...text.split(/\r\n|[\r\n]/).map((line) => `  ${escapeLine(line)}`)];
  const problems = readHubSettings(text, path).problems.map(describeProblem);
  if (await place.projects.isApproved(project)) {
    return noted(done(...shown), [...problems, 'These settings are approved as they are.']);
  }
  if (!confirmed) {
    return noted(done(...shown), [
      ...problems,
      'Its programs would run with your rights. Nothing is approved yet: once more with --yes approves what is shown.',
    ]);
  }
  const problem = await place.projects.approve(project, place.clock.now());
  return problem === null
    ? noted(done(...shown, 'Approved. A change of the file has to be approved again.'), problems)
    : { ...refused(escapeName(problem)), output: done(...shown).output };
}

/** Null for what is no file of settings. Bytes that are no text would be shown as others: such a file is none. */
async function readText(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      return null;
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch {
    return null;
  }
}

function escapeLine(line: string): string {
  return line.split('\t').map(escapeName).join('\t');
}
