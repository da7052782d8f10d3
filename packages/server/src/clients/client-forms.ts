import type { ClientForm } from './client-form.ts';
import type { ClientName } from './client-names.ts';
import { antigravity } from './forms/antigravity.ts';
import { claudeCode } from './forms/claude-code.ts';
import { claudeDesktop } from './forms/claude-desktop.ts';
import { cline } from './forms/cline.ts';
import { codex } from './forms/codex.ts';
import { continueDev } from './forms/continue.ts';
import { copilotCli } from './forms/copilot-cli.ts';
import { cursor } from './forms/cursor.ts';
import { geminiCli } from './forms/gemini-cli.ts';
import { kiro } from './forms/kiro.ts';
import { lmStudio } from './forms/lm-studio.ts';
import { opencode } from './forms/opencode.ts';
import { qwenCode } from './forms/qwen-code.ts';
import { vscode } from './forms/vscode.ts';
import { windsurf } from './forms/windsurf.ts';
import { zed } from './forms/zed.ts';

/** The source of the snippets in `--print-config` and in the documents. */
export const clientForms: Readonly<Record<ClientName, ClientForm>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  codex,
  cursor,
  vscode,
  'gemini-cli': geminiCli,
  windsurf,
  opencode,
  'copilot-cli': copilotCli,
  'qwen-code': qwenCode,
  cline,
  continue: continueDev,
  antigravity,
  zed,
  kiro,
  'lm-studio': lmStudio,
};

const forms: ReadonlyMap<string, ClientForm> = new Map(
  Object.values(clientForms).flatMap((form) => form.names.map((name) => [name, form] as const)),
);

/** The client with this name, or null if unknown. The client chooses the name itself, so use it for advice only. */
export function findClient(clientName: string | null): ClientForm | null {
  return clientName === null ? null : (forms.get(clientName.toLowerCase()) ?? null);
}
