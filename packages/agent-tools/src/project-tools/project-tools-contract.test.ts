import { describeToolProviderContract } from '@gemini-mcp/port-contracts';
import { ProjectWithTools, viewed } from './testing/project-with-tools.ts';

describeToolProviderContract({
  name: 'ProjectTools',
  create: async () => {
    let [begun, waiting] = [0, 0];
    const project = new ProjectWithTools({
      steps: {
        viewFile: async ({ path }) => {
          begun += 1;
          return viewed('a line', { path });
        },
        listFiles: async (_, signal) => {
          begun += 1;
          waiting += 1;
          await new Promise((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          waiting -= 1;
          throw signal.reason;
        },
      },
    });
    return {
      source: project.tools,
      echo: 'view_file',
      echoing: (path) => ({ file_path: path }),
      wait: 'list_files',
      begun: () => begun,
      waiting: () => waiting,
      now: () => project.clock.now(),
      pass: (durationMs) => project.clock.advance(durationMs),
      change: null,
      close: async () => undefined,
    };
  },
});
