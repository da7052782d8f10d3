import { createHash } from 'node:crypto';
import type { AcpProcessScript, AcpStep } from './acp-scenario.ts';

/** The fake's default answer to a prompt: it shows a test which text was answered. */
export function acpEcho(lastText: string): string {
  return `sha256 ${createHash('sha256').update(lastText).digest('hex')} of ${lastText.length} characters`;
}

/** Answers prompts with these chunks. */
export function acpAnswer(chunks: string | readonly string[]): readonly AcpStep[] {
  return [{ do: 'say', chunks: typeof chunks === 'string' ? [chunks] : chunks }];
}

/** Asks whether a shell command may run, with the options of the real CLI. */
export function acpPermissionRequest(command: string): AcpStep {
  const options = [
    { optionId: 'proceed_always', name: 'Allow for this session', kind: 'allow_always' },
    { optionId: 'proceed_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'cancel', name: 'Reject', kind: 'reject_once' },
  ];
  const toolCall = {
    toolCallId: 'run_shell_command__1763785978000',
    status: 'pending',
    title: command,
    content: [],
    locations: [],
    kind: 'execute',
  };
  return { do: 'ask', method: 'session/request_permission', params: { options, toolCall } };
}

/** Asks for a file as the edit tools of the real CLI do. */
export function acpFileRequest(path: string): AcpStep {
  return { do: 'ask', method: 'fs/read_text_file', params: { path } };
}

/** Requires a login: opens no sessions. */
export function acpLoginRequired(): AcpProcessScript {
  return {
    newSessions: [[{ do: 'error', code: -32000, message: 'Gemini API key is missing or not configured.' }]],
  };
}

/** A version of the CLI without ACP mode. */
export function acpUnknownFlag(): AcpProcessScript {
  const text =
    'Usage: gemini [options] [command]\n\nGemini CLI - Launch an interactive CLI, use -p/--prompt for non-interactive mode\n\nOptions:\n  -m, --model    Model  [string]\n  -p, --prompt   Prompt. Appended to input on stdin (if any).  [string]\n  -v, --version  Show version number  [boolean]\n  -h, --help     Show help  [boolean]\n\nUnknown argument: acp\n';
  return {
    start: [
      { do: 'write', to: 'stderr', text },
      { do: 'exit', code: 1 },
    ],
  };
}
