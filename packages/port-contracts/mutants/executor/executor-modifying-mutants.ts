import type { ModifyFileRequest } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { ExecutorMutant } from './executor-mutant.ts';

function modifying(
  change: (request: ModifyFileRequest, executor: FakeExecutor) => Partial<ModifyFileRequest>,
): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right, _, executor) => ({
    modifyFile: (request, signal) => right.modifyFile({ ...request, ...change(request, executor) }, signal),
  });
}

/** Executors that modify a file wrongly. */
export const executorModifyingMutants: readonly ExecutorMutant[] = [
  {
    name: 'modify-changed',
    wrong: 'modifies a file that was changed',
    mutateWorkspace: (right) => ({
      modifyFile: async (request, signal) => {
        await right.viewFile(request, signal);
        return right.modifyFile(request, signal);
      },
    }),
  },
  {
    name: 'modify-one',
    wrong: 'replaces one occurrence where all are meant',
    mutateWorkspace: modifying(({ replacements: [first, ...others] }) => ({
      replacements: [{ ...first, all: false }, ...others],
    })),
  },
  {
    name: 'modify-by-signs',
    wrong: 'reads `$&` in the new text',
    mutateWorkspace: modifying(({ replacements: [first, ...others] }) => ({
      replacements: [{ ...first, newText: first.newText.replaceAll('$&', first.oldText) }, ...others],
    })),
  },
  {
    name: 'modify-to-plain-line-ends',
    wrong: 'turns `\\r\\n` into `\\n` when it modifies',
    mutateWorkspace: (right, _, executor) => ({
      modifyFile: async (request, signal) => {
        const modified = await right.modifyFile(request, signal);
        const text = executor.files.readText(request.path);
        if (modified.ok && text !== null) {
          executor.files.write(request.path, text.replaceAll('\r\n', '\n'));
        }
        return modified;
      },
    }),
  },
  {
    name: 'modify-without-mark',
    wrong: 'drops the byte order mark of a modified file',
    mutateWorkspace: (right, _, executor) => ({
      modifyFile: async (request, signal) => {
        const modified = await right.modifyFile(request, signal);
        const text = executor.files.readText(request.path);
        if (modified.ok && text !== null) {
          executor.files.write(request.path, text.replace('\uFEFF', ''));
        }
        return modified;
      },
    }),
  },
  {
    name: 'modify-silently',
    wrong: 'does not say that white space was not compared',
    mutateWorkspace: (right) => ({
      modifyFile: async (request, signal) => {
        const modified = await right.modifyFile(request, signal);
        return modified.ok ? { ok: true, value: { ...modified.value, notes: [] } } : modified;
      },
    }),
  },
  {
    name: 'miss-without-places',
    wrong: 'does not say where a similar text is',
    mutateWorkspace: (right) => ({
      modifyFile: async (request, signal) => {
        const modified = await right.modifyFile(request, signal);
        return modified.ok ? modified : { ok: false, refusal: { ...modified.refusal, hint: '' } };
      },
    }),
  },
  {
    name: 'never-settles',
    wrong: 'never settles for a missing text',
    hangs: true,
    mutateWorkspace: (right) => ({
      modifyFile: async (request, signal) => {
        const modified = await right.modifyFile(request, signal);
        return modified.ok ? modified : new Promise(() => undefined);
      },
    }),
  },
];
