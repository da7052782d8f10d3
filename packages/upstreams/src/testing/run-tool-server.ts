import type { StepRefusal, StepToApprove, ToolCall, ToolResult } from '@gemini-mcp/core';
import { AnswerRecords, type AnswerStore, WorkLog } from '@gemini-mcp/core';
import type { UpstreamServers } from '@gemini-mcp/core/internal';
import { UpstreamToolProvider, type UpstreamToolProviderOptions } from '../tools/upstream-tool-provider.ts';
import { RealClock } from './real-clock.ts';

const never = new AbortController().signal;
const budget = { maxSteps: 100_000, maxWrittenBytes: 1, maxTokens: Number.MAX_SAFE_INTEGER };

/** A run with servers, whose user approves unless a test says otherwise. */
export class RunToolServer {
  readonly asked: Extract<StepToApprove, { readonly type: 'tool' }>[] = [];
  readonly answers: AnswerStore;
  readonly log: WorkLog;
  readonly source: UpstreamToolProvider;
  refusal: StepRefusal | null = null;
  /** Runs while the user is asked. */
  meanwhile: () => Promise<void> = async () => undefined;

  constructor(servers: UpstreamServers, options: Partial<UpstreamToolProviderOptions> = {}) {
    const clock = new RealClock();
    this.answers = new AnswerRecords({ clock, createHandle: () => 'handle' });
    this.log = new WorkLog({ clock, budget });
    this.source = new UpstreamToolProvider({
      servers,
      owner: 'ada',
      answers: this.answers,
      names: null,
      countsTrust: true,
      askUser: async (step) => {
        if (step.type === 'tool') {
          this.asked.push(step);
        }
        await this.meanwhile();
        return this.refusal;
      },
      log: this.log,
      questions: null,
      ownNames: [],
      ...options,
    });
  }

  async names(): Promise<readonly string[]> {
    return (await this.source.list(never)).map(({ name }) => name);
  }

  async call(name: string, args: ToolCall['arguments'] = {}): Promise<ToolResult> {
    return await this.source.call({ name, arguments: args, deadlineAtMs: Number.MAX_SAFE_INTEGER }, never);
  }
}
