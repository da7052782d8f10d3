import type { RunRequest, ThinkingLevel } from '@gemini-mcp/core';
import {
  changingRequests,
  changingSettings,
  declaring,
  type RunnerMutant,
  remembering,
  settingsOf,
} from './runner-mutant.ts';

function withoutSchema({ answerSchema: _, ...request }: RunRequest): RunRequest {
  return request;
}

function withoutThinking(request: RunRequest): RunRequest {
  const { thinking: _, ...settings } = settingsOf(request);
  return { ...request, settings };
}

const oneLevel: ThinkingLevel = 'high';

/** What they do with the form of an answer, and with how much Gemini is to think. */
export const runnerAnswerFormMutants: readonly RunnerMutant[] = [
  {
    name: 'drops-answer-schema',
    wrong: 'asks for prose where the request has a schema, and declares that it takes one',
    mutate: changingRequests(withoutSchema),
  },
  {
    name: 'keeps-answer-schema',
    wrong: 'goes on with the schema of an earlier request',
    mutate: remembering((request, before) => ({
      ...request,
      ...(before?.answerSchema !== undefined && { answerSchema: before.answerSchema }),
    })),
  },
  {
    name: 'takes-any-object',
    wrong: 'asks for any object, whatever the schema of the request says',
    mutate: changingRequests((request) =>
      request.answerSchema === undefined ? request : { ...request, answerSchema: { type: 'object' } },
    ),
  },
  {
    name: 'takes-undeclared-answer-schema',
    wrong: 'takes the schema of an answer without declaring it',
    mutate: declaring(() => ({ answerSchema: false })),
  },
  {
    name: 'drops-thinking',
    wrong: 'lets the model think as it likes, and declares that it can be told',
    mutate: changingRequests(withoutThinking),
  },
  {
    name: 'keeps-thinking',
    wrong: 'goes on with as much thinking as an earlier request had',
    mutate: remembering((request, before) => {
      const thinking = settingsOf(request).thinking ?? (before === null ? undefined : settingsOf(before).thinking);
      return thinking === undefined ? request : { ...request, settings: settingsOf(request, () => ({ thinking })) };
    }),
  },
  {
    name: 'thinks-always-alike',
    wrong: 'has the model think as much for any level',
    mutate: changingSettings(({ thinking }) => (thinking === undefined ? {} : { thinking: oneLevel })),
  },
  {
    name: 'takes-undeclared-thinking',
    wrong: 'takes how much to think without declaring it',
    mutate: declaring(() => ({ thinking: false })),
  },
];
