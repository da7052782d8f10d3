/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { createRunners, type Runners } from './runners/create-runners.ts';
export { type ApiAccess, findApiAccess } from './runners/find-api-access.ts';
export { proxiesOf } from './runners/proxies-of.ts';
