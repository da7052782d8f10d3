import { readFile } from 'node:fs/promises';
import { type EditedTextFile, editTextFile } from '@gemini-mcp/adapters-node/internal';
import { escapeName } from '@gemini-mcp/core/internal';
import type { EditedHubSettings, SettingProblem } from '@gemini-mcp/hub';
import { digestOf } from '../hub/digest-of.ts';
import type { McpPlace } from './mcp-place.ts';
import type { Scope } from './read-mcp-words.ts';

export type WrittenSettings =
  | {
      readonly type: 'written' | 'unchanged';
      readonly path: string;
      /** Variables that the settings may refer to from now on. */
      readonly allowed: readonly string[];
      /** Further things for the user to know or do: sentences. */
      readonly notes: readonly string[];
    }
  | { readonly type: 'refused'; readonly problems: readonly string[] };

export type WriteSettingsOptions = {
  readonly scope: Scope;
  /** `text` is null where there is no file. */
  readonly edit: (text: string | null, file: string) => EditedHubSettings;
  readonly describeProblem: (problem: SettingProblem) => string;
  /** Only finds out what would be written. */
  readonly isPreview?: boolean;
};

/** Changes the settings of a scope. A project's stay approved where they were, for it is the user who changes them. Never rejects. */
export async function writeSettings(
  { scope, edit, describeProblem, isPreview = false }: WriteSettingsOptions,
  place: McpPlace,
): Promise<WrittenSettings> {
  const path = place.paths[scope];
  if (path === null) {
    return { type: 'refused', problems: [whyNoFile[scope]] };
  }
  const seen: { before: string | null; edited: EditedHubSettings | null } = { before: null, edited: null };
  const change = (text: string | null): string | null => {
    seen.before = text;
    seen.edited = edit(text, path);
    return seen.edited.type === 'edited' && !isPreview ? seen.edited.text : null;
  };
  // The authors of the project may have put a link there, to settings that count everywhere.
  const below = scope === 'project' ? place.projectDirectory : null;
  const written = isPreview
    ? await preview(path, change)
    : await editTextFile({ path, isPrivate: scope === 'user', edit: change, below });
  const { before, edited } = seen;
  if (written.type === 'failed') {
    return { type: 'refused', problems: [`${escapeName(path)} is as it was: ${escapeName(written.reason)}.`] };
  }
  if (edited?.type !== 'edited') {
    return { type: 'refused', problems: [...(edited?.problems ?? []).map(describeProblem), unwritten] };
  }
  const notes =
    scope === 'project' && written.type === 'written' ? await keepApproval({ before, after: edited.text }, place) : [];
  return { type: written.type, path, allowed: edited.allowed, notes };
}

/** Makes nothing, not even a directory. */
async function preview(path: string, change: (text: string | null) => unknown): Promise<EditedTextFile> {
  try {
    change(await readFile(path, 'utf8'));
  } catch {
    // Missing, or what cannot be read: writing would say which.
    change(null);
  }
  return { type: 'unchanged' };
}

const unwritten = 'Nothing was written.';

const whyNoFile = {
  user: 'No settings file of servers is named: set GEMINI_MCP_SERVERS_FILE to its path.',
  project: 'Projects have no settings of servers here.',
} as const;

type Change = { readonly before: string | null; readonly after: string };

async function keepApproval({ before, after }: Change, place: McpPlace): Promise<readonly string[]> {
  const { projects, projectDirectory: directory, clock } = place;
  const wasApproved = before === null || (await projects.isApproved({ directory, digest: digestOf(before) }));
  if (!wasApproved) {
    return [
      'The settings of this project are not approved, so none of them counts. Look at them: mcp approve --project',
    ];
  }
  const problem = await projects.approve({ directory, digest: digestOf(after) }, clock.now());
  return problem === null ? [] : [problem];
}
