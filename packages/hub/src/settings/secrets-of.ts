import type { ServerEntry, Template } from './server-entry.ts';

/** A secret that settings refer to. */
export type SecretReference = { readonly kind: 'keychain' | 'file'; readonly name: string };

/** The secrets that are needed to reach a server, and to log in to it, each once. */
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
