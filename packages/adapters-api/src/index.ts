/** For programs that call the Gemini API itself: the runner, and the search for its login. */
export { apiCapabilities, apiModelChain } from './api-capabilities.ts';
export { ApiGeminiRunner, type ApiGeminiRunnerOptions } from './api-gemini-runner.ts';
export type { AccessToken, ApiLogin } from './api-login.ts';
export { ApiModelCatalog, type ApiModelCatalogOptions } from './api-model-catalog.ts';
export type { ApiRunReport } from './api-run-report.ts';
export { type ApiVariables, findApiLogin } from './find-api-login.ts';
export { type GoogleCloudLoginOptions, googleCloudLogin } from './google-cloud-login.ts';
export { type Proxies, unusableProxy } from './http/proxies.ts';
