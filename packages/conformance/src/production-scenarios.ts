/**
 * What a server of ours must pass as it is, without a fixture. The other scenarios of the suite ask for tools, prompts and
 * resources of given names, or for what we do not offer.
 */
export const productionScenarios: readonly string[] = [
  'dns-rebinding-protection',
  'ping',
  'prompts-list',
  'resources-list',
  'server-initialize',
  'server-sse-multiple-streams',
  'tools-list',
];
