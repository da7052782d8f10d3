import type { RunnerPreference } from '@gemini-mcp/core';
import type { Setting } from './setting.ts';
import * as schemas from './setting-schemas.ts';

/** What each setting is read as. */
export type WarmSettingValues = {
  readonly runner: RunnerPreference;
  readonly prewarm: boolean;
  readonly warmProcesses: number;
  readonly warmIdleSeconds: number;
  readonly warmMemoryMegabytes: number;
};

type WarmSettings = { readonly [Name in keyof WarmSettingValues]: Setting<WarmSettingValues[Name]> };

const preferences: readonly RunnerPreference[] = ['auto', 'warm', 'headless'];

const ofWarmProcesses = { group: 'Warm processes', separator: null } as const;

/** Whether the CLI is kept running between calls, and how much of it. */
export const warmSettings: WarmSettings = {
  runner: {
    ...ofWarmProcesses,
    variable: 'GEMINI_MCP_RUNNER',
    flag: 'runner',
    placeholder: '<runner>',
    description:
      '`auto`: a call is carried by a CLI process that is kept running, and by one of its own where it needs that or where no process can be kept. `warm`: the same, but a call fails where no process can be kept. `headless`: a process for each call. See [Keeping the CLI warm](#keeping-the-cli-warm).',
    shownDefault: '`auto`',
    schema: () => schemas.oneOf(preferences),
  },
  prewarm: {
    ...ofWarmProcesses,
    variable: 'GEMINI_MCP_PREWARM',
    flag: 'prewarm',
    placeholder: null,
    description: '`1` or `0`. With `1`, the first process is started with the server instead of with the first call.',
    shownDefault: '`0`',
    schema: schemas.onOrOff,
  },
  warmProcesses: {
    ...ofWarmProcesses,
    variable: 'GEMINI_MCP_WARM_PROCESSES',
    flag: 'warm-processes',
    placeholder: '<number>',
    description: 'Processes that are kept running at one time, at most: from 1 to 32.',
    shownDefault: '`4`',
    schema: () => schemas.wholeNumber(1, 32),
  },
  warmIdleSeconds: {
    ...ofWarmProcesses,
    variable: 'GEMINI_MCP_WARM_IDLE_SECONDS',
    flag: 'warm-idle-seconds',
    placeholder: '<seconds>',
    description: 'Seconds, from 1 to 86400, after which a process without a call is ended.',
    shownDefault: '`600`',
    schema: () => schemas.wholeNumber(1, 86_400),
  },
  warmMemoryMegabytes: {
    ...ofWarmProcesses,
    variable: 'GEMINI_MCP_WARM_MEMORY_MB',
    flag: 'warm-memory-mb',
    placeholder: '<MB>',
    description: 'Megabytes (MiB), from 300 to 16000: a process that holds more is replaced once its calls are done.',
    shownDefault: '`700`',
    schema: () => schemas.wholeNumber(300, 16_000),
  },
};
