import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import type { ClientForm } from './client-form.ts';
import type { ClientName } from './client-names.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

/** The one source of the snippets that the binaries print and the documents show. */
export const clientForms: Readonly<Record<ClientName, ClientForm>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  codex,
  cursor,
  vscode,
  'gemini-cli': geminiCli,
  windsurf,
};
