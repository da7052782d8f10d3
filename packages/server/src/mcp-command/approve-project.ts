import { readFile, stat } from 'node:fs/promises';
import { escapeName } from '@gemini-mcp/core/internal';
import { describeProblem, readHubSettings } from '@gemini-mcp/hub';
import { digestOf } from '../hub/digest-of.ts';
import { askForYes, digestOfShown } from './digest-of-shown.ts';
import type { McpPlace, McpResult } from './mcp-place.ts';
import { done, noted, refused } from './mcp-results.ts';

/** As much as is read of settings that are not approved. */
const maxBytes = 64_000;

/** Shows the settings of the project in the current directory, and approves just what it shows: this text in this place. */
export async function approveProject(
  { confirmed }: { readonly confirmed: string | null },
  place: McpPlace,
): Promise<McpResult> {
  const path = place.paths.project;
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) {
    return refused(
      `This project has no settings of servers${path === null ? ' here' : `: there is no ${escapeName(path)}, or it cannot be read, or it is longer than ${maxBytes / 1_000} kB`}.`,
    );
  }
  const project = { directory: place.projectDirectory, digest: digestOf(text) };
  const shown = [`${escapeName(path)}:`, ...text.split(/\r\n|[\r\n]/).map((line) => `  ${escapeLine(line)}`)];
  const problems = readHubSettings(text, path).problems.map(describeProblem);
  if (await place.projects.isApproved(project)) {
    return noted(done(...shown), [...problems, 'These settings are approved as they are.']);
  }
  const digest = digestOfShown(project);
  if (confirmed !== digest) {
    const asking = [...problems, 'Its programs would run with your rights.', askForYes(digest, confirmed, 'approved')];
    return { ...noted(done(...shown), asking), exitCode: confirmed === null ? 0 : 1 };
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
