/** A part of a settings value: text, an environment variable, or a secret by name. */
export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly fallback: readonly TemplatePart[] | null }
  /** From the system's keychain, or a file's content. */
  | { readonly type: 'secret'; readonly kind: 'keychain' | 'file'; readonly name: string };

const maxDepth = 8;

/** A longer value is taken as plain text. */
const maxCharacters = 10_000;

const variable = /^[A-Za-z_]\w*/;

/**
 * Reads `$NAME`, `${NAME}`, `${NAME:-fallback}` (whose fallback may contain references), `${keychain:name}` and `${file:/path}`. A value that is
 * entirely `keychain:name` or `file:/path` is a secret too. `\$` is a dollar sign, and other text stays as it is. Never runs anything.
 */
export function parseTemplate(value: string): readonly TemplatePart[] {
  const whole = secretOf(value);
  return whole === null ? parseReferences(value, true) : [whole];
}

/** As `parseTemplate`, for a value that others see or where a secret has no meaning: leaves secret references as text. */
export function parsePlainTemplate(value: string): readonly TemplatePart[] {
  return parseReferences(value, false);
}

function parseReferences(value: string, hasSecrets: boolean): readonly TemplatePart[] {
  if (value.length > maxCharacters) {
    return [{ type: 'text', text: value }];
  }
  return joined(parts(value, { depth: 0, hasSecrets }));
}

type Inside = { readonly depth: number; readonly hasSecrets: boolean };

type Place = Inside & {
  /** The position of the closing brace for each opening one. */
  readonly closings: ReadonlyMap<number, number>;
};

function parts(value: string, where: Inside): readonly TemplatePart[] {
  const inside: Place = { ...where, closings: findClosings(value) };
  const found: TemplatePart[] = [];
  for (let place = 0; place < value.length; ) {
    const { part, end } = partAt(value, place, inside);
    found.push(part);
    place = end;
  }
  return found;
}

type Found = { readonly part: TemplatePart; readonly end: number };

function partAt(value: string, place: number, inside: Place): Found {
  if (value.startsWith('\\$', place)) {
    return { part: { type: 'text', text: '$' }, end: place + 2 };
  }
  if (value[place] !== '$') {
    const next = value.slice(place + 1).search(/[\\$]/);
    const end = next < 0 ? value.length : place + 1 + next;
    return { part: { type: 'text', text: value.slice(place, end) }, end };
  }
  const plain = variable.exec(value.slice(place + 1))?.[0];
  if (plain !== undefined) {
    return { part: { type: 'variable', name: plain, fallback: null }, end: place + 1 + plain.length };
  }
  return bracedAt(value, place, inside) ?? { part: { type: 'text', text: '$' }, end: place + 1 };
}

function bracedAt(value: string, place: number, { depth, hasSecrets, closings }: Place): Found | null {
  const close = depth < maxDepth ? closings.get(place) : undefined;
  if (close === undefined) {
    return null;
  }
  const inside = value.slice(place + 2, close);
  const secret = hasSecrets ? secretOf(inside) : null;
  if (secret !== null) {
    return { part: secret, end: close + 1 };
  }
  const name = variable.exec(inside)?.[0];
  const rest = name === undefined ? null : inside.slice(name.length);
  if (name === undefined || rest === null || (rest !== '' && !rest.startsWith(':-'))) {
    return null;
  }
  const fallback = rest === '' ? null : parts(rest.slice(2), { depth: depth + 1, hasSecrets });
  return { part: { type: 'variable', name, fallback }, end: close + 1 };
}

/** Reads each character once, however many braces are never closed. */
function findClosings(value: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: found, index } of value.matchAll(/\$\{|\}/g)) {
    if (found !== '}') {
      open.push(index);
      continue;
    }
    const opened = open.pop();
    if (opened !== undefined) {
      closings.set(opened, index);
    }
  }
  return closings;
}

function secretOf(value: string): TemplatePart | null {
  const [, kind, name] = /^(keychain|file):([^\s${}][^${}]*)$/.exec(value) ?? [];
  return name === undefined ? null : { type: 'secret', kind: kind === 'file' ? 'file' : 'keychain', name };
}

/** Joins adjacent texts. */
function joined(found: readonly TemplatePart[]): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (const part of found) {
    const last = parts.at(-1);
    if (last?.type === 'text' && part.type === 'text') {
      parts.splice(-1, 1, { type: 'text', text: last.text + part.text });
    } else {
      parts.push(part);
    }
  }
  return parts;
}

export type TemplateValues = {
  /** Variables that the settings may refer to. */
  readonly allowed: readonly string[];
  /** The values of the variables that the user has allowed. Nothing else of the environment is known here. */
  readonly variables: ReadonlyMap<string, string>;
  /** Null for a missing secret. */
  readonly secretOf: (kind: 'keychain' | 'file', name: string) => string | null;
};

export type FilledTemplate = { readonly text: string } | { readonly missing: string };

/** Fills in all references, once: does not read the values for references. `missing` names the first missing value and says why. */
export function fillTemplate(template: readonly TemplatePart[], values: TemplateValues): FilledTemplate {
  let text = '';
  for (const part of template) {
    const filled = fillPart(part, values);
    if ('missing' in filled) {
      return filled;
    }
    text += filled.text;
  }
  return { text };
}

function fillPart(part: TemplatePart, values: TemplateValues): FilledTemplate {
  if (part.type === 'text') {
    return { text: part.text };
  }
  if (part.type === 'secret') {
    const secret = values.secretOf(part.kind, part.name);
    return secret === null
      ? { missing: `the secret ${part.kind}:${part.name}, which does not exist` }
      : { text: secret };
  }
  const value = values.variables.get(part.name);
  // As in a shell: with `:-` an empty value counts as missing.
  if (value !== undefined && (value !== '' || part.fallback === null)) {
    return { text: value };
  }
  return part.fallback === null ? { missing: describeMissing(part.name, values) } : fillTemplate(part.fallback, values);
}

function describeMissing(name: string, { allowed }: TemplateValues): string {
  return allowed.includes(name)
    ? `the variable ${name}, which is not set in the environment of this program`
    : `the variable ${name}, which is not listed in mcp.variables of the settings`;
}
