import type { ResourceTemplate as ListedTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { ResourceTemplate } from './resource-shelf.ts';

/** A template as resources/templates/list shows it. */
export function presentTemplate({ complete: _, ...template }: ResourceTemplate): ListedTemplate {
  return template;
}
