import { describe, expect, it } from 'vitest';
import { isInformational } from './run-log.ts';

describe('isInformational', () => {
  it.each([
    'Warning: 256-color support not detected. Using a terminal with at least 256-color support is recommended.',
    'Warning: True color (24-bit) support not detected. Using a terminal with true color enabled is recommended.',
    "[STARTUP] Phase 'cleanup_ops' was started but never ended. Skipping metrics.",
    '[STARTUP] Cannot measure phase',
    'YOLO mode is enabled. All tool calls will be automatically approved.',
    'Ripgrep is not available. Falling back to GrepTool.',
    'MCP issues detected. Run /mcp list for status.',
    'Blocked dangerous environment variable override',
    'Both GOOGLE_API_KEY and GEMINI_API_KEY are set. Using GOOGLE_API_KEY.',
    'Attempt 1 failed with status 503. Retrying with backoff...',
    '    at async GeminiChat.makeApiCall (file:///bundle/chunk.js:1:2)',
    'Error executing tool read_file: File not found.',
    'Error when talking to Gemini API Full report available at: /tmp/gemini-client-error.json',
    'Error generating content via API. Full report available at: /tmp/report.json',
    '[Routing] Selected model: gemini-2.5-pro',
    'Invalid configuration in /home/ada/.gemini/settings.json:',
    'Warning: --allowed-tools cli argument and tools.allowed in settings.json are deprecated.',
    'Warning: tools.exclude in settings.json is deprecated.',
    'Security Warning: Skipping /etc/gemini-cli/settings.json',
    'Skipping project agents due to untrusted folder. To enable, trust this folder.',
    'Project hooks disabled because the folder is not trusted.',
    'WARNING: The following project-level hooks have been detected in this workspace:',
    'Warning: stdin input truncated to 8388608 bytes.',
    'Could not find promptId in context for generateContent',
    'Error handling request { jsonrpc: "2.0" }',
    '[WARN] Skipping unreadable directory: /root',
    'Loaded cached credentials.',
    '',
  ])('%j is', (line) => {
    expect(isInformational(line)).toBe(true);
  });

  it.each([
    'Please set an Auth method in your settings',
    'When using Gemini API, you must specify the GEMINI_API_KEY environment variable.',
    'Gemini CLI is not running in a trusted directory.',
    'Cannot use both a positional prompt and the --prompt (-p) flag together',
    'An unexpected critical error occurred:',
    '    "message": "API key not valid. Please pass a valid API key.",',
    'he said: YOLO mode is enabled. All tool calls',
    'Warning: something new',
  ])('%j is not', (line) => {
    expect(isInformational(line)).toBe(false);
  });
});
