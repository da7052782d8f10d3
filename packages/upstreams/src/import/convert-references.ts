import { type ImportName, isGeminiLike } from './import-names.ts';

/** A value with a client's references converted to ours; `remarks` say what changed. */
type ConvertedText = { readonly text: string; readonly remarks: readonly string[] };

type Reference = { readonly text: string; readonly remark?: string };

const shellPattern = /\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}/g;

/** Each client's references, null for a client that replaces none. */
const patterns: Readonly<Record<Exclude<ImportName, 'gemini-cli' | 'qwen-code'>, RegExp | null>> = {
  'claude-code': shellPattern,
  'claude-desktop': null,
  vscode:
    /\$\{(?:env|input|config|command):[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|cwd|\/)\}/g,
  cursor: /\$\{env:[^{}]*\}|\$\{(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|\/)\}/g,
  codex: null,
  opencode: /\{(?:env|file):[^{}]*\}/g,
  'copilot-cli': /\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}|\$[A-Za-z_]\w*/g,
  // Its extension for VS Code replaces them; its other editions replace none.
  cline: /\$\{env:[^{}]*\}/g,
  continue: /\$\{\{\s*(?:secrets|inputs)\.[^{}]*\}\}/g,
  antigravity: null,
  zed: null,
  kiro: shellPattern,
  'lm-studio': null,
};

/** Escapes text that the client does not treat as a reference but we would. */
export function convertReferences(text: string, client: ImportName): ConvertedText {
  if (isGeminiLike(client)) {
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
  const inside = found.replace(/^\$?\{{1,2}\s*/, '').replace(/\s*\}{1,2}$/, '');
  const [, kind, name = ''] =
    /^(env|input|config|command|file):(?!-)(.*)$/.exec(inside) ?? /^(secrets|inputs)\.(.*)$/.exec(inside) ?? [];
  switch (kind) {
    case undefined:
      return plain(inside) ?? { text: found };
    case 'env':
    case 'secrets':
      return isName(name)
        ? { text: `\${${name}}` }
        : { text: escapeText(found), remark: `${found} has no meaning here.` };
    case 'input': {
      const variable =
        name
          .replace(/\W+/g, '_')
          .replace(/^(?=\d)/, '_')
          .toUpperCase() || 'INPUT';
      return {
        text: `\${${variable}}`,
        remark: `That client asks the user for ${name}. Here it comes from the variable ${variable}: set it, or write keychain:<name> or file:<path> instead.`,
      };
    }
    default:
      return { text: escapeText(found), remark: `${found} has no meaning here: write the value instead.` };
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
        remark: 'Here the workspace folder is the directory in which this program starts.',
      };
    case 'workspaceFolderBasename':
      return {
        text: escapeText(`\${${inside}}`),
        remark: 'The name of the workspace is unknown here: write it yourself.',
      };
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

export function escapeText(text: string): string {
  return text.replaceAll('$', '\\$');
}

/** Escapes a whole value such as `file:./data.db`, which we would read as a secret reference. */
function guarded(text: string): string {
  return /^(?:keychain|file):[^${}]*$/.test(text) ? `\${_:-${text}}` : text;
}
