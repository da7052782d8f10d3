import type { Tool } from './tool.ts';

/** All that is decided by a tool's name, before any tool is made. Whatever needs one of these facts reads it here. */
export type ToolDeclaration = Required<Pick<Tool, 'name' | 'title' | 'annotations' | 'group' | 'scopes'>> &
  Pick<Tool, 'restPath'>;
