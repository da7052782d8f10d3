import type { Prompt } from './prompts/prompt.ts';
import type { ResourceShelf } from './resources/resource-shelf.ts';
import type { Tool } from './tool.ts';

/** All that a server offers its clients. Names of tools and of prompts, and URIs of templates, are unique. */
export type Surface = {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  /** Asked in this order: the first shelf that has the resource answers. */
  readonly resources: readonly ResourceShelf[];
};
