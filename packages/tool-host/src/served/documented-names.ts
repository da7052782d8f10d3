import * as z from 'zod';

/** A call in the names of our own tools, or why it is none. */
export type TranslatedCall =
  | { readonly ok: true; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string };

/** A tool under the name and with the arguments that the documentation of Gemini CLI has for it. */
export type DocumentedTool = {
  readonly name: string;
  /** Ours that does the same. */
  readonly tool: string;
  readonly input: z.ZodObject;
  readonly translate: (args: Readonly<Record<string, unknown>>) => TranslatedCall;
};

const text = (): z.ZodString => z.string();
const place = (): z.ZodOptional<z.ZodString> => z.string().optional();

/** Takes the arguments apart by a schema, and hands on those that ours has. */
function documented<Input extends z.ZodObject>(
  name: string,
  tool: string,
  input: Input,
  toOurs: (args: z.output<Input>) => Readonly<Record<string, unknown>> | string,
): DocumentedTool {
  const translate = (args: Readonly<Record<string, unknown>>): TranslatedCall => {
    const parsed = input.safeParse(args);
    if (!parsed.success) {
      return {
        ok: false,
        message: `Nothing was done: the arguments do not fit ${name}. ${z.prettifyError(parsed.error)}`,
      };
    }
    const ours = toOurs(parsed.data);
    return typeof ours === 'string'
      ? { ok: false, message: ours }
      : { ok: true, tool, arguments: withoutMissing(ours) };
  };
  return { name, tool, input, translate };
}

function withoutMissing(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

const reading: readonly DocumentedTool[] = [
  documented(
    'read_file',
    'view_file',
    z.looseObject({ file_path: text(), start_line: z.int().optional(), end_line: z.int().optional() }),
    ({ file_path, start_line, end_line }) => ({ file_path, start_line, end_line }),
  ),
  documented('list_directory', 'list_files', z.looseObject({ dir_path: text() }), ({ dir_path }) => ({ dir_path })),
  documented('glob', 'list_files', z.looseObject({ pattern: text(), dir_path: place() }), ({ pattern, dir_path }) => ({
    pattern,
    dir_path,
  })),
  documented(
    'grep_search',
    'search_files',
    z.looseObject({
      pattern: text(),
      dir_path: place(),
      include_pattern: place(),
      case_sensitive: z.boolean().optional(),
    }),
    ({ pattern, dir_path, include_pattern: include, case_sensitive: isSensitive }) => ({
      pattern,
      is_regex: true,
      ignore_case: isSensitive !== true,
      dir_path,
      include,
    }),
  ),
];

const changing: readonly DocumentedTool[] = [
  documented(
    'write_file',
    'put_file',
    z.looseObject({ file_path: text(), content: text() }),
    ({ file_path, content }) => ({ file_path, content }),
  ),
  documented(
    'replace',
    'change_file',
    z.looseObject({
      file_path: text(),
      old_string: text(),
      new_string: text(),
      allow_multiple: z.boolean().optional(),
    }),
    ({ file_path, old_string, new_string, allow_multiple }) => ({ file_path, old_string, new_string, allow_multiple }),
  ),
];

const running: readonly DocumentedTool[] = [
  documented(
    'run_shell_command',
    'run_command',
    z.looseObject({ command: text(), dir_path: place(), is_background: z.boolean().optional() }),
    ({ command, dir_path: directory, is_background: isBackground }) => {
      if (isBackground === true) {
        return 'No command was started: is_background is not supported. Call again without it: a command that takes long returns a handle for poll_command.';
      }
      if (directory === undefined) {
        return { command };
      }
      return directory.includes("'")
        ? 'No command was started: dir_path cannot hold a quotation mark. Leave it out, and begin the command with cd and the directory.'
        : { command: `cd '${directory}' && ${command}` };
    },
  ),
];

/** Those that are served besides ours. */
export const documentedTools: readonly DocumentedTool[] = [...reading, ...changing, ...running];
