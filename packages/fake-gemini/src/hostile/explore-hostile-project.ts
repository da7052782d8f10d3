import { type JsonRecord, type OfflineGeminiApi, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { offeredName } from '../servers/offered-name.ts';

type Called = { readonly text: string; readonly isError: boolean };

export type HostileExploration<Result extends Called> = {
  readonly api: OfflineGeminiApi;
  /** Calls a tool of the server that runs in the project. */
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<Result>;
};

/**
 * Uses a server in a `HostileProject` in each way that reads it: one question names its files, and for another Gemini explores with its
 * tools. Resolves to both results and to everything that the API received, as JSON.
 */
export async function exploreHostileProject<Result extends Called>({
  api,
  call,
}: HostileExploration<Result>): Promise<{ readonly query: Result; readonly chat: Result; readonly received: string }> {
  api.reply(text('answered'));
  const query = await call('gemini_query', { prompt: 'Hi', files: ['plain.txt', 'link.txt'], directories: ['.'] });
  const looks: readonly (readonly [string, JsonRecord])[] = [
    ['search_files', { pattern: 'plain|CANARY', is_regex: true }],
    ['view_file', { file_path: 'link.txt' }],
    ['list_files', { dir_path: 'out' }],
  ];
  api.reply((request, index) => {
    const [name, args] = looks[index] ?? [];
    return name === undefined || args === undefined ? text('looked') : toolCall(offeredName(request, name), args);
  });
  const chat = await call('chat', { prompt: 'Look around' });
  return { query, chat, received: JSON.stringify(api.requests.map(({ body }) => body)) };
}
