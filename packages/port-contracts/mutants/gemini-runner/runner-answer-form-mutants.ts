import { plainRunSettings, type ThinkingLevel } from '@gemini-mcp/core';
import { changingRequests, changingSettings, declaring, type RunnerMutant } from './runner-mutant.ts';

const oneLevel: ThinkingLevel = 'high';

/** Mutants of the answer's form and of thinking. */
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
    wrong: 'uses one level of thinking for all',
    mutate: changingSettings(({ thinking }) => (thinking === undefined ? {} : { thinking: oneLevel })),
  },
  {
    name: 'takes-undeclared-thinking',
    wrong: 'accepts a level of thinking without declaring it',
    mutate: declaring(() => ({ thinking: false })),
  },
  {
    name: 'asks-at-the-standard-tier',
    wrong: 'sends a request for the flexible tier to the standard one',
    mutate: changingRequests(({ settings: { serviceTier: _, ...settings } = plainRunSettings, ...request }) => ({
      ...request,
      settings,
    })),
  },
  {
    name: 'takes-undeclared-flexible-tier',
    wrong: 'accepts a request for the flexible tier without declaring it',
    mutate: declaring(() => ({ flexibleTier: false })),
  },
];
