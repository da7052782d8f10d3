import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { Grounding, WebPage } from '../ports/gemini-runner/grounding.ts';
import type { RunEnd } from '../ports/gemini-runner/run-event.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';
import type { OnProgress } from './ask-request.ts';

export type RunOnceOptions = {
  readonly runner: GeminiRunner;
  readonly runRequest: RunRequest;
  readonly onProgress: OnProgress;
};

export type RunSummary = {
  readonly text: string;
  readonly usage: readonly ModelUsage[];
  readonly notices: readonly string[];
  readonly grounding: Grounding | null;
  readonly pages: readonly WebPage[];
  readonly end: RunEnd;
};

/** Runs one request to its end and collects its events. */
export async function runOnce(
  { runner, runRequest, onProgress }: RunOnceOptions,
  signal: AbortSignal,
): Promise<RunSummary> {
  let text = '';
  let usage: readonly ModelUsage[] = [];
  const notices: string[] = [];
  let grounding: Grounding | null = null;
  let pages: readonly WebPage[] = [];
  for await (const event of runner.run(runRequest, signal)) {
    switch (event.type) {
      case 'text':
        text += event.text;
        onProgress(event);
        break;
      case 'tool':
      case 'status':
        onProgress(event);
        break;
      case 'notice':
        notices.push(event.text);
        break;
      case 'usage':
        usage = event.models;
        break;
      case 'grounding':
        ({ grounding } = event);
        break;
      case 'pages':
        ({ pages } = event);
        break;
      case 'answer':
      case 'failure':
        return { text, usage, notices, grounding, pages, end: event };
    }
  }
  throw new Error(
    `The ${runner.capabilities.name} runner ended without an answer or a failure, which its port forbids.`,
  );
}
