/** How calls reach Gemini: by a CLI that is kept running where that serves, by nothing else, or by one started for each call. */
export const runnerModes = ['auto', 'warm', 'headless'] as const;

export type RunnerMode = (typeof runnerModes)[number];
