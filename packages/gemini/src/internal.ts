/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */

export { runBudget } from './calls/run-budget.ts';
export { type ComposeGeminiOptions, composeGemini } from './compose-gemini.ts';
export type { GeminiParts } from './gemini-parts.ts';
export { type FoundLogin, findLogin, type LoginSource, namesLogin } from './login/find-login.ts';
export { type ParsedKey, parseApiKey } from './login/parse-api-key.ts';
export { type LoginPlace, LoginStore, type ReadLogin } from './login/stored-login.ts';
export { type ClosableRunner, createRunners } from './runners/create-runners.ts';
export { type ApiAccess, findApiAccess } from './runners/find-api-access.ts';
export { proxiesOf } from './runners/proxies-of.ts';
export { type ComposedUpstreams, composeUpstreams } from './upstreams/compose-upstreams.ts';
export { digestOf } from './upstreams/digest-of.ts';
export type { LazyUpstreams } from './upstreams/lazy-upstreams.ts';
export { loadUpstreamsLibrary } from './upstreams/load-upstreams-library.ts';
export { loopHeader, loopVariable, ownerOnThisMachine } from './upstreams/reach-server.ts';
export { loginsKeychain, SystemKeychain, secretsKeychain } from './upstreams/system-keychain.ts';
export { UpstreamToolProviderFactory } from './upstreams/upstream-tool-provider-factory.ts';
