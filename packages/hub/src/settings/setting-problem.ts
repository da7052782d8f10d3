import { escapeName } from '@gemini-mcp/core/internal';

/** What is wrong with a settings file, at a place in it. */
export type SettingProblem = {
  readonly file: string;
  /** From 1; null where it is the file as a whole. */
  readonly line: number | null;
  /** Of the value, such as `mcpServers.github.timeout`; empty for the file. */
  readonly path: string;
  /** What is wrong and what to do, in sentences. */
  readonly message: string;
};

/** For a user, on one line. */
export function describeProblem({ file, line, path, message }: SettingProblem): string {
  return `${escapeName(file)}:${line === null ? '' : `${line}:`} ${path === '' ? '' : `${escapeName(path)}: `}${escapeName(message)}`;
}
