/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { type ComposeGeminiOptions, composeGemini } from './compose-gemini.ts';
export type { GeminiParts } from './gemini-parts.ts';
export { runBudget } from './run-budget.ts';
export { type ClosableRunner, createRunners } from './runners/create-runners.ts';
export { type ApiAccess, findApiAccess } from './runners/find-api-access.ts';
export { proxiesOf } from './runners/proxies-of.ts';
