import { describeExecutorContract, executorInTemporaryDirectory } from '@gemini-mcp/port-contracts';
import { FilesExecutor } from '../testing/files-executor.ts';

describeExecutorContract({ name: 'WorkspaceFiles', ...executorInTemporaryDirectory(() => new FilesExecutor()) });
