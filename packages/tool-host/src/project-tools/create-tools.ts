import { createChangeFileTool } from './changing/change-file-tool.ts';
import { createModifyFileTool } from './changing/modify-file-tool.ts';
import { createPutFileTool } from './changing/put-file-tool.ts';
import type { ProjectTool } from './project-tool.ts';
import type { ProjectToolsOptions } from './project-tools.ts';
import { createListFilesTool } from './reading/list-files-tool.ts';
import { createLookAtTool } from './reading/look-at-tool.ts';
import { createSearchFilesTool } from './reading/search-files-tool.ts';
import { createViewFileTool } from './reading/view-file-tool.ts';
import { createPollCommandTool } from './running/poll-command-tool.ts';
import { createRunCommandTool } from './running/run-command-tool.ts';

/** The tools that a run may use in its mode. */
export function createTools(options: ProjectToolsOptions): readonly ProjectTool[] {
  const { mode, runsCommands } = options;
  return [
    createViewFileTool(options),
    createLookAtTool(options),
    createListFilesTool(options),
    createSearchFilesTool(options),
    ...(mode === 'plan'
      ? []
      : [createPutFileTool(options), createChangeFileTool(options), createModifyFileTool(options)]),
    ...(mode === 'full' && runsCommands ? [createRunCommandTool(options), createPollCommandTool(options)] : []),
  ];
}
