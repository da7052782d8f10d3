/** The tools' declarations: data alone, so that a start can read them before it loads the tools. */
export { type Scope, scopes } from './surface/scope.ts';
export type { ToolDeclaration } from './tools/tool-declarations.ts';
export { chatDelete, toolDeclarations } from './tools/tool-declarations.ts';
