import { randomUUID } from 'node:crypto';
import { createKeyedBoundary } from '@gemini-mcp/adapters-node';
import {
  type ApprovalStore,
  AskForJson,
  AskGemini,
  type AskGeminiOptions,
  AskWithServers,
  type CallQueue,
  Chat,
  type Clock,
  type ContextResolver,
  type GeminiRunner,
  type LentDirectories,
  type ModelHealth,
  PreviewContext,
  SearchWeb,
  type ServerLender,
  type SessionStore,
} from '@gemini-mcp/core';
import type { KnownModels } from '@gemini-mcp/core/internal';
import type { Configuration } from '../settings/configuration.ts';
import { runBudget } from './run-budget.ts';

export type UseCaseParts = {
  readonly configuration: Pick<Configuration, 'modelChain'>;
  readonly clock: Clock;
  readonly resolver: ContextResolver;
  readonly runner: GeminiRunner;
  /** How Gemini looks into the directory of a conversation. */
  readonly lentDirectories: LentDirectories;
  readonly sessions: SessionStore;
  readonly queue: CallQueue;
  /** In which calls wait that look at what would be sent. */
  readonly previewQueue: CallQueue;
  readonly health: ModelHealth;
  /** What the API has told of its models, if it is asked. */
  readonly knownModels: KnownModels | undefined;
  /** Told of each call that has ended. */
  readonly onAskEnd: AskGeminiOptions['onEnd'] | undefined;
  /** Lends tools of other servers; undefined where none are lent. */
  readonly serverLender: ServerLender | undefined;
  readonly approvals: ApprovalStore;
  readonly hasSeveralOwners: boolean;
  /** As in `ServerOptions`. */
  readonly program?: string | undefined;
};

/** What can be done with Gemini. */
export type UseCases = {
  /** Lends tools of other servers where it is asked to. */
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly askForJson: AskForJson;
  readonly previewContext: PreviewContext;
  readonly chat: Chat;
  readonly searchWeb: SearchWeb;
};

/** The use cases of the core over a set of adapters. */
export function createUseCases({ configuration, resolver, runner, ...parts }: UseCaseParts): UseCases {
  const { lentDirectories, clock, sessions, queue, previewQueue, health, knownModels, onAskEnd } = parts;
  const { modelChain } = configuration;
  const boundaryOf = createKeyedBoundary();
  const windows = knownModels === undefined ? {} : { windowOf: knownModels.windowOf.bind(knownModels) };
  const asking: AskGeminiOptions = {
    clock,
    resolver,
    runner,
    modelChain,
    ...windows,
    random: Math.random,
    boundaryOf,
    queue,
    lentDirectories,
    onAttempt: (attempt) => health.record(attempt),
    ...(onAskEnd !== undefined && { onEnd: onAskEnd }),
  };
  const askGemini = new AskGemini(asking);
  const { serverLender: lender, approvals, hasSeveralOwners, program } = parts;
  const offersLasting = !hasSeveralOwners;
  const asked =
    lender === undefined
      ? askGemini
      : new AskWithServers({
          ...{ clock, askGemini, lender, approvals, offersLasting, program },
          budget: runBudget,
        });
  return {
    askGemini: asked,
    askForJson: new AskForJson({ clock, askGemini, runner }),
    previewContext: new PreviewContext({
      clock,
      resolver,
      runner,
      modelChain,
      ...windows,
      boundaryOf,
      queue: previewQueue,
    }),
    chat: new Chat({ clock, sessions, askGemini: asked, createId: randomUUID }),
    searchWeb: new SearchWeb({ clock, askGemini, runner }),
  };
}
