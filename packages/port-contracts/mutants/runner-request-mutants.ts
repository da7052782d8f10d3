import type { ConversationTurn, InlineMedia, RunRequest } from '@gemini-mcp/core';
import { changingRequests, changingSettings, type RunnerMutant, remembering, settingsOf } from './runner-mutant.ts';

type Turns = readonly ConversationTurn[];

function changingHistory(change: (history: Turns) => Turns): RunnerMutant['mutate'] {
  return changingRequests((request) => ({ ...request, history: change(request.history ?? []) }));
}

function changingMedia(change: (media: readonly InlineMedia[]) => readonly InlineMedia[]): RunnerMutant['mutate'] {
  return changingRequests((request) => ({ ...request, media: change(request.media ?? []) }));
}

/** Goes on with a setting of an earlier request where a later one has none. */
function keeping(setting: 'apiKey' | 'systemPrompt'): RunnerMutant['mutate'] {
  return remembering((request, before) => {
    const known = before === null ? null : settingsOf(before)[setting];
    return { ...request, settings: settingsOf(request, (settings) => ({ [setting]: settings[setting] ?? known })) };
  });
}

function describeTurn({ role, text }: ConversationTurn): string {
  return `${role}: ${text}\n`;
}

/** What of a request they do not carry, or carry into another. */
export const runnerRequestMutants: readonly RunnerMutant[] = [
  {
    name: 'ignores-model',
    wrong: 'asks one model, whichever the request names',
    mutate: changingRequests((request) => ({ ...request, model: 'gemini-2.5-pro' })),
  },
  {
    name: 'claims-model',
    wrong: 'asks one model, and says that the one of the request answered',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        for await (const event of right.run({ ...request, model: 'gemini-2.5-pro' }, signal)) {
          yield event.type === 'answer' ? { ...event, modelVersion: request.model } : event;
        }
      },
    }),
  },
  {
    name: 'keeps-model',
    wrong: 'goes on with the model of the first request',
    mutate: remembering((request, before) => ({ ...request, model: before?.model ?? request.model })),
  },
  {
    name: 'ignores-key',
    wrong: 'uses its own login where the request has a key',
    mutate: changingSettings(() => ({ apiKey: null })),
  },
  { name: 'keeps-key', wrong: 'goes on with the key of an earlier request', mutate: keeping('apiKey') },
  {
    name: 'ignores-system-prompt',
    wrong: 'has no system prompt but the plain instruction',
    mutate: changingSettings(() => ({ systemPrompt: null })),
  },
  {
    name: 'adds-own-system-prompt',
    wrong: 'has a system prompt of its own where the request brings none',
    mutate: changingSettings(({ systemPrompt }) => ({ systemPrompt: systemPrompt ?? 'You are an agent.' })),
  },
  {
    name: 'keeps-system-prompt',
    wrong: 'goes on with the system prompt of an earlier request',
    mutate: keeping('systemPrompt'),
  },
  {
    name: 'system-prompt-in-message',
    wrong: 'puts the system prompt before the message',
    mutate: changingRequests((request) => {
      const { systemPrompt } = settingsOf(request);
      const settings = settingsOf(request, () => ({ systemPrompt: null }));
      return systemPrompt === null ? request : { ...request, input: `${systemPrompt}\n\n${request.input}`, settings };
    }),
  },
  {
    name: 'one-line-system-prompt',
    wrong: 'joins the lines of the system prompt',
    mutate: changingSettings(({ systemPrompt }) => ({ systemPrompt: systemPrompt?.replace(/\s+/g, ' ') ?? null })),
  },
  {
    name: 'lets-google-log',
    wrong: 'does not ask Google to store nothing of a request',
    fields: {},
    mutate: () => ({}),
  },
  {
    name: 'has-google-log',
    wrong: 'asks Google to store its requests',
    fields: { store: true },
    mutate: () => ({}),
  },
  {
    name: 'store-in-config',
    wrong: 'asks Google to store nothing in the generation config, where the API does not look',
    fields: { generationConfig: { store: false } },
    mutate: () => ({}),
  },
  {
    name: 'cuts-system-prompt',
    wrong: 'carries the first 2,000 characters of a system prompt',
    mutate: changingSettings(({ systemPrompt }) => ({ systemPrompt: systemPrompt?.slice(0, 2_000) ?? null })),
  },
  { name: 'drops-history', wrong: 'carries no conversation', mutate: changingHistory(() => []) },
  {
    name: 'forgets-oldest-turns',
    wrong: 'carries the last four turns of a conversation',
    mutate: changingHistory((history) => history.slice(-4)),
  },
  {
    name: 'drops-blank-turns',
    wrong: 'leaves out what was said without visible text',
    mutate: changingHistory((history) => history.filter(({ text }) => text.trim() !== '')),
  },
  {
    name: 'swaps-roles',
    wrong: 'carries all that was said as said by the user',
    mutate: changingHistory((history) => history.map(({ text }) => ({ role: 'user', text }))),
  },
  {
    name: 'history-in-message',
    wrong: 'writes the conversation before the message',
    mutate: changingRequests(({ history = [], ...request }) => ({
      ...request,
      input: `${history.map(describeTurn).join('')}${request.input}`,
    })),
  },
  {
    name: 'believes-its-memory',
    wrong: 'goes on with what it remembers of a conversation that begins alike',
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
    name: 'crosses-histories',
    wrong: 'carries the conversation of the request before',
    mutate: (right) => {
      let last: RunRequest['history'];
      return {
        run: (request, signal) => {
          const history = last ?? request.history ?? [];
          last = request.history ?? [];
          return right.run({ ...request, history }, signal);
        },
      };
    },
  },
  { name: 'drops-media', wrong: 'carries no media', mutate: changingMedia(() => []) },
  {
    name: 'first-medium-only',
    wrong: 'carries the first of several media',
    mutate: changingMedia((media) => media.slice(0, 1)),
  },
  {
    name: 'reverses-media',
    wrong: 'carries media in the opposite order',
    mutate: changingMedia((media) => media.toReversed()),
  },
  {
    name: 'one-media-type',
    wrong: 'calls all media images',
    mutate: changingMedia((media) => media.map((medium) => ({ ...medium, mediaType: 'image/png' }))),
  },
  {
    name: 'media-as-text',
    wrong: 'carries the bytes of media as UTF-8',
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
  {
    name: 'empties-media',
    wrong: 'clears the bytes of media once they are sent',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        yield* right.run(
          { ...request, media: request.media?.map((one) => ({ ...one, bytes: one.bytes.slice() })) ?? [] },
          signal,
        );
        for (const { bytes } of request.media ?? []) {
          bytes.fill(0);
        }
      },
    }),
  },
  {
    name: 'changes-capabilities',
    wrong: 'declares something else after its first run',
    mutate: (right) => {
      const capabilities = { ...right.capabilities };
      return {
        capabilities,
        run: (request, signal) => {
          Object.assign(capabilities, { maxInputCharacters: request.input.length });
          return right.run(request, signal);
        },
      };
    },
  },
];
