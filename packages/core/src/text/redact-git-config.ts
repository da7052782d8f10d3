import { createRedactor } from './redact-secrets.ts';

const redactShapes = createRedactor([]);

/** `https://user:token@host/`, also in the name of a section. */
const login = /(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"']+@/gi;
/** `?private_token=…` in an address. */
const parameter = /([?&][\w-]{0,40}(?:token|key|secret|password|auth)[\w-]{0,40}=)[^\s&"']+/gi;

const section = /^\s*\[[^\]"]*(?:"(?:[^"\\]|\\.)*"\s*)?\]/;
const secretName =
  /^\s*[a-z0-9-]{0,80}(?:pass|passw(?:or)?d|passphrase|token|secret|api-?key|private-?key|cookie|extraheader)\s*=/i;
/** A helper given as a shell command may contain the password. */
const shellHelper = /^\s*helper\s*=\s*"?!/i;

/**
 * The settings of a Git repository without credentials: logins in addresses, request headers, passwords, tokens, and anything else with the shape of
 * a key. All other settings stay in effect.
 */
export function redactGitConfig(text: string): string {
  const lines = text.match(/(?:[^\n\\]|\\[\s\S]|\\$)*\n?/g) ?? [];
  return redactShapes(lines.map(redactLine).join('').replace(login, '').replace(parameter, '$1redacted'));
}

/** A line with its backslash continuations. A setting whose name is dropped counts as never set. */
function redactLine(line: string): string {
  const [head = ''] = section.exec(line) ?? [];
  const setting = line.slice(head.length);
  const isSecret = secretName.test(setting) || shellHelper.test(setting);
  return isSecret ? `${head}${line.endsWith('\n') ? '\n' : ''}` : line;
}
