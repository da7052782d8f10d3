import type { ServerEntry, Template } from './server-entry.ts';
import { hideSecrets } from './show-entry.ts';
import type { TemplatePart } from './value-template.ts';

/** Where a server is, on one line: its command with all arguments, or its address. References stay, and what may be a secret is hidden. */
export function describePlace({ transport }: ServerEntry): string {
  if (transport.type !== 'stdio') {
    return hideSecrets([sourceOf(transport.url)]).join(' ');
  }
  const words = [transport.command, ...transport.arguments].map(sourceOf);
  return hideSecrets(words).map(quoted).join(' ');
}

/** As the settings have it. */
function sourceOf(template: Template): string {
  return template.map(sourceOfPart).join('');
}

function sourceOfPart(part: TemplatePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'secret':
      return `\${${part.kind}:${part.name}}`;
    case 'variable':
      return part.fallback === null ? `\${${part.name}}` : `\${${part.name}:-${sourceOf(part.fallback)}}`;
  }
}

/** So that a reader sees where an argument begins. */
function quoted(word: string): string {
  return /^[^\s'"]+$/.test(word) ? word : JSON.stringify(word);
}
