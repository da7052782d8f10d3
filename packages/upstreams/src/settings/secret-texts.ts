import type { ServerEntry, Template } from './read-server-entry.ts';
import { usualVariables } from './read-upstream-config.ts';
import { fillTemplate, type TemplatePart, type TemplateValues } from './value-template.ts';

/**
 * The current secret texts of a server: the values of references in its environment and headers, and headers whole and without their first word
 * (`Bearer`). Excludes variables that name places, such as `HOME`.
 */
export function secretTexts({ transport }: ServerEntry, values: TemplateValues): readonly string[] {
  const isProgram = transport.type === 'stdio';
  const templates = [...(isProgram ? transport.environment : transport.headers).values()];
  const headers = isProgram ? [] : templates.flatMap((template) => wordsOf(template, values));
  const referred = templates.flatMap((template) => referredIn(template, values));
  return [...new Set([...referred, ...headers])].filter((text) => text !== '');
}

function referredIn(template: Template, values: TemplateValues): readonly string[] {
  return template.flatMap((part) => referredBy(part, values));
}

function referredBy(part: TemplatePart, values: TemplateValues): readonly string[] {
  switch (part.type) {
    case 'text':
      return [];
    case 'secret':
      return [values.secretOf(part.kind, part.name) ?? ''];
    case 'variable': {
      const own = usualVariables.includes(part.name) ? '' : (values.variables.get(part.name) ?? '');
      return [own, ...referredIn(part.fallback ?? [], values)];
    }
  }
}

function wordsOf(template: Template, values: TemplateValues): readonly string[] {
  const filled = fillTemplate(template, values);
  return 'text' in filled ? [filled.text, filled.text.replace(/^\S+ +/, '')] : [];
}

/** A secret that settings refer to. */
export type SecretReference = { readonly kind: 'keychain' | 'file'; readonly name: string };

/** The secrets needed to reach a server and to log in to it, each once. */
export function secretsOf({ transport, oauth }: ServerEntry): readonly SecretReference[] {
  const templates = transport.type === 'stdio' ? transport.environment.values() : transport.headers.values();
  const ofLogin = [oauth?.clientId, oauth?.clientSecret].flatMap((template) => template ?? []);
  const found = [...[...templates].flatMap(referencesOf), ...referencesOf(ofLogin)];
  return [...new Map(found.map((one) => [`${one.kind}:${one.name}`, one])).values()];
}

function referencesOf(template: Template): readonly SecretReference[] {
  return template.flatMap((part) =>
    part.type === 'secret'
      ? [{ kind: part.kind, name: part.name }]
      : part.type === 'variable'
        ? referencesOf(part.fallback ?? [])
        : [],
  );
}
