/** How the real CLI carries a call: in a warm process, or in one process per call. */
export type CliWay = 'warm' | 'headless';

/**
 * Whether tests cover each backend, or each user. A start of the real CLI takes two seconds of a processor, so `npm test` covers the
 * default, and `npm run test:nightly` all of them.
 */
export const takesAllWays: boolean = process.env['GEMINI_MCP_ALL_WAYS'] === '1';

export const cliWays: readonly CliWay[] = takesAllWays ? ['warm', 'headless'] : ['warm'];
