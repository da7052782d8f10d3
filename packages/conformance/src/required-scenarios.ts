import type { Revision } from './run-conformance.ts';

/** A scenario that a server with the fixtures has to pass, or why it cannot be passed. */
export type Requirement = 'passes' | { readonly isLeftOut: true; readonly because: string };

/** All scenarios that the suite runs for a revision, by name: the tests notice one that is missing, and one that is new. */
export const requiredScenarios: Readonly<Record<Revision, Readonly<Record<string, Requirement>>>> = {
  '2025-11-25': {
    ...allPass(
      'completion-complete',
      'dns-rebinding-protection',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'json-schema-2020-12',
      'logging-set-level',
      'ping',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
      'resources-list',
      'resources-read-binary',
      'resources-read-text',
      'resources-subscribe',
      'resources-templates-read',
      'resources-unsubscribe',
      'server-initialize',
      'server-session-lifecycle',
      'server-sse-multiple-streams',
      'tools-call-audio',
      'tools-call-elicitation',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-sampling',
      'tools-call-simple-text',
      'tools-call-with-logging',
      'tools-call-with-progress',
      'tools-list',
    ),
    'server-sse-polling': leftOut('the server keeps no events to send again: resuming a stream is optional'),
  },
  '2026-07-28': {
    ...allPass(
      'caching',
      'completion-complete',
      'dns-rebinding-protection',
      'http-header-validation',
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-non-tool-request',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'json-schema-2020-12',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
      'resources-list',
      'resources-read-binary',
      'resources-read-text',
      'resources-templates-read',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'server-stateless',
      'tasks-capability-negotiation',
      'tasks-dispatch-and-envelope',
      'tasks-lifecycle',
      'tasks-mrtr-composition',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-request-state-removal',
      'tasks-wire-fields',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
      'tools-list',
    ),
    'http-custom-header-server-validation': leftOut('no tool asks for a parameter in a header'),
    'tasks-required-task-error': leftOut('no tool works as a task alone'),
    'tasks-status-notifications': leftOut('the suite skips it'),
  },
};

/** Checks of required scenarios that the server leaves out, because a task asks one question at a time. */
export const leftOutChecks: readonly string[] = ['tasks-mrtr-partial-fulfillment'];

function allPass(...names: readonly string[]): Readonly<Record<string, Requirement>> {
  return Object.fromEntries(names.map((name) => [name, 'passes']));
}

function leftOut(because: string): Requirement {
  return { isLeftOut: true, because };
}

/** The scenarios of a revision that a server without fixtures passes. The others call tools, prompts and resources of given names. */
export const scenariosWithoutFixtures: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'dns-rebinding-protection',
    'ping',
    'prompts-list',
    'resources-list',
    'server-initialize',
    'server-sse-multiple-streams',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'prompts-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
};
