import type { ProjectToLend } from '@gemini-mcp/core';

/** Resolves to null where the user allows a step, otherwise to why it is not taken. Never rejects. */
export type AskUser = ProjectToLend['askUser'];
