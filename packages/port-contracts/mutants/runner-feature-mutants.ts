import type { GeminiRunner } from '@gemini-mcp/core';
import { changingFailures, declaring, failed, type RunnerMutant, settingsOf } from './runner-mutant.ts';

/** Declares no tools, and lets Gemini have those that a request asks for. */
const noTools: GeminiRunner['capabilities']['tools'] = ['none'];

/** What they take that they do not declare, and how they refuse. */
export const runnerFeatureMutants: readonly RunnerMutant[] = [
  {
    name: 'takes-undeclared-history',
    wrong: 'takes a conversation that it does not declare',
    mutate: declaring(() => ({ resume: false })),
  },
  {
    name: 'takes-undeclared-system-prompt',
    wrong: 'takes a system prompt that it does not declare',
    mutate: declaring(() => ({ systemPrompt: false })),
  },
  {
    name: 'takes-undeclared-search',
    wrong: 'lets Gemini search the web without declaring it',
    mutate: declaring(({ tools }) => ({ tools: tools.filter((access) => access !== 'web-search') })),
  },
  {
    name: 'takes-undeclared-tools',
    wrong: 'lets Gemini do everything without declaring it',
    mutate: declaring(({ tools }) => ({ tools: tools.filter((access) => access !== 'everything') })),
  },
  {
    name: 'drops-undeclared-tools',
    wrong: 'runs without the tools that a request asks for and that it does not declare',
    mutate: (right) => ({
      capabilities: { ...right.capabilities, tools: noTools },
      run: (request, signal) =>
        right.run({ ...request, settings: settingsOf(request, () => ({ tools: 'none', directory: null })) }, signal),
    }),
  },
  {
    name: 'drops-undeclared-directory',
    wrong: 'runs without the directory where it declares no tools',
    mutate: (right) => ({
      capabilities: { ...right.capabilities, tools: noTools },
      run: async function* run(request, signal) {
        const settings = settingsOf(request, () => ({ directory: null }));
        yield* settings.tools === 'none'
          ? right.run({ ...request, settings }, signal)
          : [failed({ kind: 'unsupported', feature: 'tools' })];
      },
    }),
  },
  {
    name: 'takes-undeclared-key',
    wrong: 'takes the key of a call without declaring it',
    mutate: declaring(() => ({ keyOfCall: false })),
  },
  {
    name: 'needs-no-key',
    wrong: 'declares that it needs the key of a call, and carries a request without one',
    mutate: declaring(() => ({ needsKeyOfCall: true })),
  },
  {
    name: 'tells-undeclared-usage',
    wrong: 'tells what a run used without declaring it',
    mutate: declaring(() => ({ usage: false })),
  },
  {
    name: 'takes-undeclared-urls',
    wrong: 'takes addresses of pages without declaring that it can have them read',
    mutate: declaring(() => ({ urls: false })),
  },
  {
    name: 'takes-undeclared-sandbox',
    wrong: 'takes a request for a sandbox that it does not declare',
    mutate: declaring(() => ({ sandbox: false })),
  },
  {
    name: 'drops-undeclared-media',
    wrong: 'leaves out media of a type that it does not declare',
    mutate: (right) => ({
      run: (request, signal) => {
        const media = (request.media ?? []).filter(({ mediaType }) =>
          right.capabilities.mediaTypes.includes(mediaType),
        );
        return right.run({ ...request, media }, signal);
      },
    }),
  },
  {
    name: 'guesses-media-type',
    wrong: 'carries media of a type that it does not declare as one that it does',
    mutate: (right) => ({
      run: (request, signal) => {
        const [known = ''] = right.capabilities.mediaTypes;
        const media = (request.media ?? []).map((medium) =>
          right.capabilities.mediaTypes.includes(medium.mediaType) ? medium : { ...medium, mediaType: known },
        );
        return right.run({ ...request, media }, signal);
      },
    }),
  },
  {
    name: 'refuses-declared-history',
    wrong: 'refuses a conversation, and declares that it takes one',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        yield* (request.history ?? []).length > 0
          ? [failed({ kind: 'unsupported', feature: 'history' })]
          : right.run(request, signal);
      },
    }),
  },
  {
    name: 'refuses-declared-tools',
    wrong: 'refuses the web search, and declares it',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        yield* settingsOf(request).tools === 'web-search'
          ? [failed({ kind: 'unsupported', feature: 'tools' })]
          : right.run(request, signal);
      },
    }),
  },
  {
    name: 'wrong-feature',
    wrong: 'names another feature than the one that is missing',
    mutate: changingFailures((failure) =>
      failure.kind === 'unsupported' ? { ...failure, feature: 'tools' } : failure,
    ),
  },
  {
    name: 'refuses-as-invalid-input',
    wrong: 'calls what it does not support invalid input',
    mutate: changingFailures((failure) =>
      failure.kind === 'unsupported' ? { kind: 'invalid-input', excerpt: failure.feature } : failure,
    ),
  },
];
