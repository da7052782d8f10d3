import { settingList } from '../settings/server-settings.ts';
import { type SettingGroup, settingGroups } from '../settings/setting.ts';
import { clientNames } from './client-name.ts';

const intro = `gemini-mcp-server lends AI clients Google's Gemini through the Gemini CLI, over MCP on stdin and stdout.

gemini-mcp-server [flags]
      Serves one client. Clients start it like this.
gemini-mcp-server doctor [--json] [--no-call] [flags]
      Checks what a call needs, and says what to do where something is missing. Makes one short call to
      Gemini, unless --no-call says not to.
gemini-mcp-server --print-config <client> [flags]
      Prints what goes into a client's settings.
      Clients: ${clientNames.join(', ')}.
gemini-mcp-server --help, --version`;

/** What `--help` prints. */
export function helpText(): string {
  return `${[intro, ...settingGroups.map(describeGroup)].join('\n\n')}\n`;
}

function describeGroup(group: SettingGroup): string {
  const entries = settingList
    .filter((setting) => setting.group === group)
    .map(({ flag, placeholder, variable, description, shownDefault }) => {
      const usage = placeholder === null ? `--${flag}` : `--${flag} ${placeholder}`;
      const meaning = `${withoutMarkup(description)} Default: ${withoutMarkup(shownDefault)}.`;
      return [`  ${usage}  (${variable})`, ...wrap(meaning).map((line) => `      ${line}`)].join('\n');
    });
  return [`${group}:`, ...entries].join('\n');
}

/** Markdown as a terminal shows it. */
function withoutMarkup(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(#[^)]+\)/g, '"$1" in docs/configuration.md').replaceAll('`', '');
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= 100) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
