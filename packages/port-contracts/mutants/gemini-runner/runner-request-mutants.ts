import type { ConversationTurn, InlineMedia } from '@gemini-mcp/core';
import { changingRequests, type RunnerMutant, settingsOf } from './runner-mutant.ts';

type Turns = readonly ConversationTurn[];

function changingMedia(change: (media: readonly InlineMedia[]) => readonly InlineMedia[]): RunnerMutant['mutate'] {
  return changingRequests((request) => ({ ...request, media: change(request.media ?? []) }));
}

/** Mutants that lose parts of a request, or mix requests. */
export const runnerRequestMutants: readonly RunnerMutant[] = [
  {
    name: 'believes-its-memory',
    wrong: 'continues from its memory of a conversation that begins alike',
    mutate: (right) => {
      const known = new Map<string, Turns>();
      return {
        run: (request, signal) => {
          const history = request.history ?? [];
          const first = history[0]?.text ?? request.input;
          const remembered = known.get(first) ?? [];
          const longer = remembered.length > history.length ? remembered : history;
          known.set(first, longer);
          return right.run({ ...request, history: longer }, signal);
        },
      };
    },
  },
  {
    name: 'media-as-text',
    wrong: 'sends the bytes of media as UTF-8',
    mutate: changingMedia((media) =>
      media.map((medium) => ({ ...medium, bytes: Buffer.from(Buffer.from(medium.bytes).toString('utf8')) })),
    ),
  },
  {
    name: 'changes-request',
    wrong: 'writes its own settings into the request',
    mutate: (right) => ({
      run: (request, signal) => {
        Object.assign(request, { settings: { ...settingsOf(request), systemPrompt: null } });
        return right.run(request, signal);
      },
    }),
  },
];
