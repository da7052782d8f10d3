import { inOrder, type Scope, scopes } from './scope.ts';

type Arguments = Readonly<Record<string, unknown>>;

type ToolScopes = {
  readonly always: readonly Scope[];
  /** Arguments that name files or directories: a caller that gives one wants something read. */
  readonly naming: readonly string[];
  /** Whether it can be asked to let Gemini do whatever it likes. */
  readonly hasYolo: boolean;
};

const selection = ['files', 'glob_patterns', 'directories'];

const plain = { always: [], naming: [], hasYolo: false } satisfies ToolScopes;

/** By the names that clients use. Who may look at answers and jobs is decided by whose they are. */
const byTool: ReadonlyMap<string, ToolScopes> = new Map<string, ToolScopes>([
  ['gemini_query', { ...plain, always: ['gemini:query'], naming: selection }],
  ['gemini_context', { ...plain, always: ['gemini:query', 'gemini:files'] }],
  ['gemini_read', plain],
  ['gemini_job', plain],
  ['chat', { ...plain, always: ['gemini:chat'], naming: ['cwd'] }],
  ['chat-delete', { ...plain, always: ['gemini:chat'] }],
  ['chat-reply', { ...plain, always: ['gemini:chat'], naming: ['cwd'] }],
  ['geminiChat', { always: ['gemini:chat'], naming: ['workingDirectory'], hasYolo: true }],
  ['googleSearch', { always: ['gemini:search'], naming: ['workingDirectory'], hasYolo: true }],
]);

/** The tools of which it is known what they need. */
export const toolsWithScopes: readonly string[] = [...byTool.keys()];

/**
 * What a token must be good for, for a call of a tool with arguments that are not parsed yet. Nothing for a tool that does
 * not exist, since nothing comes of it. Where arguments are not what the tool expects, more is asked for rather than less.
 */
export function requiredScopes(toolName: string, args: unknown): readonly Scope[] {
  const { always, naming, hasYolo } = byTool.get(toolName) ?? plain;
  const given = isArguments(args) ? args : {};
  if (hasYolo && isGiven(given, 'yolo')) {
    return scopes;
  }
  return inOrder(naming.some((name) => isGiven(given, name)) ? [...always, 'gemini:files'] : always);
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null;
}

/** Not where it says what leaving it out would say. */
function isGiven(args: Arguments, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
