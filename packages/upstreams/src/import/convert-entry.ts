import { escapeName } from '@gemini-mcp/core/internal';
import { EntryDraft, type ImportedServer, isObject } from './entry-draft.ts';
import type { ImportName } from './import-names.ts';
import { toCommonEntry } from './to-common-entry.ts';

/** Converts an entry of any client but Codex. Returns a sentence for the user if that fails. */
export function convertEntry(name: string, entry: unknown, client: ImportName): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const common = toCommonEntry(entry, client);
  const draft = new EntryDraft(common, client);
  const isProgram = typeof common['command'] === 'string';
  if (isProgram) {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.text('cwd');
  } else {
    draft.address();
    draft.record('headers');
  }
  draft.use();
  if (!isProgram && draft.entry['url'] === undefined && draft.entry['httpUrl'] === undefined) {
    return `${escapeName(name)} has neither command nor url.`;
  }
  return { name, entry: draft.entry, remarks: draft.remarks() };
}
