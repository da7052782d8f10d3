import type { ImportName } from './imported-server.ts';

/** A value with the references of a client as ours has them; `remarks` say where they lead now. */
export type ConvertedText = { readonly text: string; readonly remarks: readonly string[] };

type Reference = { readonly text: string; readonly remark?: string };

/** What each client puts a value in for. The Gemini CLI has the references that ours has. */
const patterns: Readonly<Record<Exclude<ImportName, 'gemini-cli'>, RegExp | null>> = {
  'claude-code': /\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}/g,
  'claude-desktop': null,
  vscode:
    /\$\{(?:env|input|config|command):[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|cwd|\/)\}/g,
  cursor: /\$\{env:[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|\/)\}/g,
  codex: null,
};

/** What is no reference for the client becomes none for us. */
export function convertReferences(text: string, client: ImportName): ConvertedText {
  if (client === 'gemini-cli') {
    return { text, remarks: [] };
  }
  const pattern = patterns[client];
  const remarks: string[] = [];
  let converted = '';
  let place = 0;
  for (const { 0: found, index } of pattern === null ? [] : text.matchAll(pattern)) {
    const { text: reference, remark } = convertOne(found);
    remarks.push(...(remark === undefined ? [] : [remark]));
    converted += escapeText(text.slice(place, index)) + reference;
    place = index + found.length;
  }
  converted += escapeText(text.slice(place));
  return { text: guarded(converted), remarks };
}

function convertOne(found: string): Reference {
  const inside = found.slice(2, -1);
  const [, kind, name = ''] = /^(env|input|config|command):(.*)$/.exec(inside) ?? [];
  switch (kind) {
    case undefined:
      return plain(inside) ?? { text: found };
    case 'env':
      return isName(name)
        ? { text: `\${${name}}` }
        : { text: escapeText(found), remark: `${found} leads nowhere here.` };
    case 'input': {
      const variable =
        name
          .replace(/\W+/g, '_')
          .replace(/^(?=\d)/, '_')
          .toUpperCase() || 'INPUT';
      return {
        text: `\${${variable}}`,
        remark: `There the user is asked for ${name}. Here it comes from the variable ${variable}: set it, or put keychain:<name> or file:<path> in its place.`,
      };
    }
    default:
      return { text: escapeText(found), remark: `${found} leads nowhere here: put the value in its place.` };
  }
}

function plain(inside: string): Reference | null {
  switch (inside) {
    case 'userHome':
      return { text: `\${HOME}` };
    case 'workspaceFolder':
    case 'cwd':
      return {
        text: `\${PWD}`,
        remark: 'The folder of the workspace is here the directory in which this program is started.',
      };
    case 'workspaceFolderBasename':
      return { text: escapeText(`\${${inside}}`), remark: 'The name of the workspace is not known here: put it in.' };
    case 'pathSeparator':
    case '/':
      return { text: '/' };
    default:
      return null;
  }
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

function escapeText(text: string): string {
  return text.replaceAll('$', '\\$');
}

/** A whole value such as `file:./data.db` would be read as a secret. */
function guarded(text: string): string {
  return /^(?:keychain|file):[^${}]*$/.test(text) ? `\${_:-${text}}` : text;
}
