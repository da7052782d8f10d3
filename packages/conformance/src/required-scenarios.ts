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
};

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
};
