import type { CliStep, ResultUsage } from './scenario.ts';

const NOISE = 'Ripgrep is not available. Falling back to GrepTool.\n';

/** A successful run, like the real CLI's `stream-json`. */
export function cliAnswer(chunks: string | readonly string[], usage?: ResultUsage): readonly CliStep[] {
  return [
    ...cliOpening(),
    { do: 'text', chunks: typeof chunks === 'string' ? [chunks] : chunks },
    { do: 'result', status: 'success', ...(usage === undefined ? {} : { usage }) },
  ];
}

/** The beginning of every run that gets as far as asking the model: reads stdin, and writes two events. */
export function cliOpening(): readonly CliStep[] {
  return [{ do: 'read-stdin' }, { do: 'write', to: 'stderr', text: NOISE }, { do: 'init' }, { do: 'user-echo' }];
}

/** The real CLI's output for an error of the API. `message` is the displayed text, plain or the body as JSON. */
export function cliApiFailure(status: number, message: string): readonly CliStep[] {
  const advice =
    '\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method';
  const shown = `[API Error: ${message}]${status === 429 ? advice : ''}`;
  const report = `Error when talking to Gemini API Full report available at: /tmp/gemini-client-error-Turn.run-sendMessageStream-2026-11-21T22-26-48-411Z.json ApiError: ${message}\n    at retryWithBackoff (file:///opt/gemini-cli/bundle/chunk.js:308062:29)\n`;
  return [
    ...cliOpening(),
    { do: 'write', to: 'stderr', text: report },
    {
      do: 'result',
      status: 'error',
      error: { type: 'unknown', message: shown },
      usage: { inputTokens: 0, outputTokens: 0 },
    },
    // An exit status has eight bits; a missing model has lost its status on the way.
    { do: 'exit', code: status === 404 ? 1 : status % 256 },
  ];
}

export function cliDailyQuota(): readonly CliStep[] {
  return cliApiFailure(429, 'You have exhausted your daily quota on this model.');
}

export function cliRateLimited(retryDelaySeconds: number): readonly CliStep[] {
  return cliApiFailure(
    429,
    `You exceeded your current quota, please check your plan and billing details.\nSuggested retry after ${retryDelaySeconds}s.`,
  );
}

export function cliOverloaded(): readonly CliStep[] {
  return cliApiFailure(503, 'The model is overloaded. Please try again later.');
}

export function cliModelNotFound(model: string): readonly CliStep[] {
  return cliApiFailure(
    404,
    `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
  );
}

/** An answer that the CLI calls invalid, blocked or empty: an error event, a result without one, exit code 0. */
export function cliInvalidAnswer(message: string): readonly CliStep[] {
  return [
    ...cliOpening(),
    { do: 'event', event: { type: 'error', severity: 'error', message } },
    { do: 'result', status: 'error' },
  ];
}

/** Exit codes of failures during a run: turn limit, a full disk for a tool, cancelled. */
export type FatalRunCode = 53 | 54 | 130;

const FATAL_RUNS: Readonly<Record<FatalRunCode, { readonly type: string; readonly message: string }>> = {
  53: {
    type: 'FatalTurnLimitedError',
    message:
      'Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.',
  },
  54: { type: 'no_space_left', message: 'Error executing tool write_file: No space left on device' },
  130: { type: 'FatalCancellationError', message: 'Operation cancelled.' },
};

/** Ends midway, with the message of the real CLI and a specific exit code. */
export function cliFatalRun(code: FatalRunCode): readonly CliStep[] {
  return [...cliOpening(), { do: 'result', status: 'error', error: FATAL_RUNS[code] }, { do: 'exit', code }];
}

/** Exit codes of failures before the first event: login, input, sandbox, settings, folder trust. */
export type StartFailureCode = 41 | 42 | 44 | 52 | 55;

const START_FAILURES: Readonly<Record<StartFailureCode, string>> = {
  41: 'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.\nUpdate your environment and try again (no reload needed if using .env)!\n',
  42: 'No input provided via stdin. Input can be provided by piping data into gemini or using the --prompt option.\n',
  44: "Missing sandbox command 'docker' (from GEMINI_SANDBOX)\n",
  52: "Error in /home/user/.gemini/settings.json: Expected property name or '}' in JSON at position 1\nPlease fix the configuration file(s) and try again.\n",
  55: 'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode. For more details, see https://geminicli.com/docs/cli/trusted-folders/#headless-and-automated-environments\n',
};

/** Ends before the first event, with the message of the real CLI. */
export function cliStartFailure(code: StartFailureCode): readonly CliStep[] {
  return [{ do: 'read-stdin' }, { do: 'write', to: 'stderr', text: START_FAILURES[code] }, { do: 'exit', code }];
}

/** `-o json` for a message over the CLI's context limit: exit code 0, and an empty response. */
export function cliEmptyResponse(): readonly CliStep[] {
  return [{ do: 'read-stdin' }, { do: 'write', to: 'stdout', text: '{"response":"","stats":{"models":{}}}' }];
}

/** Prints the address of a login page and waits for a code that never comes. */
export function cliLoginPrompt(): readonly CliStep[] {
  const url = 'https://accounts.google.com/o/oauth2/v2/auth?client_id=fake&response_type=code&scope=cloud-platform';
  const text = `Please visit the following URL to authorize the application:\n\n${url}\n\nEnter the authorization code: `;
  return [{ do: 'write', to: 'stdout', text }, { do: 'hang' }];
}

/** A message of `bytes` bytes in assistant events of 4 KiB and a little, as fast as the reader takes them. */
export function cliEndlessText(bytes: number): readonly CliStep[] {
  const event = {
    type: 'message',
    timestamp: '2026-11-21T20:46:16.129Z',
    role: 'assistant',
    content: 'x'.repeat(4096),
    delta: true,
  };
  return [...cliOpening(), { do: 'flood', to: 'stdout', bytes, pattern: `${JSON.stringify(event)}\n` }, { do: 'hang' }];
}
