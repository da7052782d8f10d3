import type { ThinkingLevel } from '@gemini-mcp/core';
import { changingRequests, changingSettings, declaring, type RunnerMutant } from './runner-mutant.ts';

const oneLevel: ThinkingLevel = 'high';

/** What they do with the form of an answer, and with how much Gemini is to think. */
export const runnerAnswerFormMutants: readonly RunnerMutant[] = [
  {
    name: 'takes-any-object',
    wrong: 'asks for any object, whatever the schema of the request says',
    mutate: changingRequests((request) =>
      request.answerSchema === undefined ? request : { ...request, answerSchema: { type: 'object' } },
    ),
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
