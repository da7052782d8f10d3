/**
 * The scenarios that a production server must pass without fixtures. The other scenarios of the suite require tools, prompts and
 * resources of given names, or features that we do not offer.
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
