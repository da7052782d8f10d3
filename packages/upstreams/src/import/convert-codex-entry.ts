import { escapeName } from '@gemini-mcp/core/internal';
import { escapeText } from './convert-references.ts';
import { EntryDraft, type ImportedServer, isObject, isPlain } from './entry-draft.ts';

/** Converts an entry of `[mcp_servers]` in Codex's config.toml. */
export function convertCodexEntry(name: string, entry: unknown): ImportedServer | string {
  if (!isObject(entry)) {
    return `${escapeName(name)} is not a server entry.`;
  }
  const draft = new EntryDraft(entry, 'codex');
  if (typeof entry['command'] === 'string') {
    draft.text('command');
    draft.texts('args');
    draft.record('env');
    draft.put(
      'env',
      namesIn(draft.take('env_vars')).map((variable) => [variable, `\${${variable}}`]),
    );
    draft.text('cwd');
  } else if (typeof entry['url'] === 'string') {
    draft.text('url');
    takeHeaders(draft);
  } else {
    return `${escapeName(name)} has neither command nor url.`;
  }
  takeUse(draft);
  draft.use();
  return { name, entry: draft.entry, remarks: draft.remarks() };
}

function takeHeaders(draft: EntryDraft): void {
  const token = draft.take('bearer_token_env_var');
  const inline = draft.take('bearer_token');
  const headers = draft.take('http_headers');
  const fromVariables = draft.take('env_http_headers');
  draft.put('headers', [
    ...pairsOf(headers).map(([name, value]) => [name, escapeText(value)] as const),
    ...pairsOf(fromVariables).map(([name, variable]) => [name, `\${${variable}}`] as const),
    ...(typeof token === 'string' ? [['Authorization', `Bearer \${${token}}`] as const] : []),
    ...(typeof inline === 'string' ? [['Authorization', `Bearer ${escapeText(inline)}`] as const] : []),
  ]);
}

function takeUse(draft: EntryDraft): void {
  const seconds = draft.take('tool_timeout_sec');
  if (typeof seconds === 'number' && seconds > 0) {
    draft.entry['timeout'] = Math.round(seconds * 1_000);
  }
  draft.take('startup_timeout_sec');
  draft.take('startup_timeout_ms');
  for (const [from, to] of [
    ['enabled_tools', 'includeTools'],
    ['disabled_tools', 'excludeTools'],
  ] as const) {
    const names = draft.take(from);
    if (Array.isArray(names)) {
      draft.entry[to] = names.filter(isPlain).map(String);
    }
  }
  const scopes = draft.take('scopes');
  if (Array.isArray(scopes) && scopes.length > 0) {
    draft.entry['oauth'] = { scopes: scopes.filter(isPlain).map(String) };
  }
}

/** Reads names, or tables with a name. */
function namesIn(value: unknown): readonly string[] {
  const names = (Array.isArray(value) ? value : []).map((one: unknown) => (isObject(one) ? one['name'] : one));
  return names.filter((name) => typeof name === 'string');
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, text]) => (isPlain(text) ? [[name, String(text)] as const] : []))
    : [];
}
