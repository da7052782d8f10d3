/** How the real CLI carries a call: by a process that stays, or by one for each call. */
export type CliWay = 'warm' | 'headless';

/**
 * Whether tests take each way, or each user. A start of the real CLI takes two seconds of a processor, so `npm test` takes the default way, and
 * `npm run test:nightly` all of them.
 */
export const takesAllWays: boolean = process.env['GEMINI_MCP_ALL_WAYS'] === '1';

export const cliWays: readonly CliWay[] = takesAllWays ? ['warm', 'headless'] : ['warm'];
