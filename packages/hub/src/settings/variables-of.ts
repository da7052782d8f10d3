import type { ServerEntry, Template } from './server-entry.ts';

/** The variables of the environment that an entry refers to, each once. */
export function variablesOf({ transport, oauth }: ServerEntry): readonly string[] {
  const templates =
    transport.type === 'stdio'
      ? [
          transport.command,
          ...transport.arguments,
          ...transport.environment.values(),
          ...(transport.workingDirectory === null ? [] : [transport.workingDirectory]),
        ]
      : [transport.url, ...transport.headers.values()];
  const ofLogin = [oauth?.clientId, oauth?.clientSecret].filter((one) => one !== undefined && one !== null);
  // A shell keeps its own words in `_`: in settings it stands for nothing at all.
  return [...new Set([...templates, ...ofLogin].flatMap(namesIn))].filter((name) => name !== '_');
}

/** One with another value to fall back on may be missing, and is named all the same. */
function namesIn(template: Template): readonly string[] {
  return template.flatMap((part) =>
    part.type === 'variable' ? [part.name, ...(part.fallback === null ? [] : namesIn(part.fallback))] : [],
  );
}
