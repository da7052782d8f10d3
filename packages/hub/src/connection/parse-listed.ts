import type { ListedPrompt, ListedResource, ListedTool } from '@gemini-mcp/core/internal';

type Members = Readonly<Record<string, unknown>>;

/** Longer names are no names. */
const maxNameCharacters = 1_000;

/** Null for what is no tool. A tool without a schema takes an object. */
export function parseTool(value: unknown): ListedTool | null {
  const members = asMembers(value);
  const name = nameOf(members);
  if (members === null || name === null) {
    return null;
  }
  return {
    name,
    title: textOf(members['title']) ?? textOf(asMembers(members['annotations'])?.['title']),
    description: textOf(members['description']) ?? '',
    inputSchema: asMembers(members['inputSchema']) ?? { type: 'object' },
    outputSchema: asMembers(members['outputSchema']),
    annotations: asMembers(members['annotations']) ?? {},
  };
}

/** Null for what is no prompt. */
export function parsePrompt(value: unknown): ListedPrompt | null {
  const members = asMembers(value);
  const name = nameOf(members);
  if (members === null || name === null) {
    return null;
  }
  const listed: unknown = members['arguments'];
  return {
    name,
    title: textOf(members['title']),
    description: textOf(members['description']) ?? '',
    arguments: (Array.isArray(listed) ? listed : []).flatMap((one: unknown) => {
      const argument = asMembers(one);
      const argumentName = nameOf(argument);
      return argumentName === null
        ? []
        : [
            {
              name: argumentName,
              description: textOf(argument?.['description']) ?? '',
              isRequired: argument?.['required'] === true,
            },
          ];
    }),
  };
}

/** Null for what is no resource, or, with `isTemplate`, no template of resources. */
export function parseResource(value: unknown, isTemplate: boolean): ListedResource | null {
  const members = asMembers(value);
  const uri = textOf(members?.[isTemplate ? 'uriTemplate' : 'uri']);
  if (members === null || uri === null || uri === '') {
    return null;
  }
  return {
    uri,
    isTemplate,
    name: nameOf(members) ?? uri,
    title: textOf(members['title']),
    description: textOf(members['description']) ?? '',
    mediaType: textOf(members['mimeType']),
  };
}

function nameOf(members: Members | null): string | null {
  const name = textOf(members?.['name']);
  return name === null || name === '' || name.length > maxNameCharacters ? null : name;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function asMembers(value: unknown): Members | null {
  return isMembers(value) ? value : null;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
