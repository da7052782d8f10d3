import type { AnswerStore, SessionStore } from '@gemini-mcp/core';
import { createAnswerShelf } from './answer-shelf.ts';
import { createManualPage, type ManualPageOptions } from './manual-page.ts';
import { createModelsPage, type ModelsPageOptions } from './models-page.ts';
import { createPageShelf } from './page-shelf.ts';
import type { ResourceShelf } from './resource-shelf.ts';
import { createSessionShelf } from './session-shelf.ts';

/** The stores of whose contents each owner sees its own, and what the pages tell of. */
export type ResourcesOptions = ModelsPageOptions &
  ManualPageOptions & {
    readonly sessions: Pick<SessionStore, 'list' | 'load'>;
    readonly answers: Pick<AnswerStore, 'list' | 'load'>;
  };

/** Every resource of the server: manual, models, conversations and long answers. */
export function createResources(options: ResourcesOptions): readonly ResourceShelf[] {
  return [
    createPageShelf([createManualPage(options), createModelsPage(options)]),
    createSessionShelf(options.sessions),
    createAnswerShelf(options.answers),
  ];
}
