import type { ToolContext, ToolOutcome } from '@gemini-mcp/mcp';
import type { Context } from 'hono';
import type { HttpEnv } from '../http-env.ts';

/** A call that may begin: who sent it is known, may call the tool, and has said all that it needs. */
export type RestCall = {
  readonly context: Context<HttpEnv>;
  /** Never rejects. */
  readonly run: (watch: Pick<ToolContext, 'signal' | 'progress'>) => Promise<ToolOutcome>;
};
