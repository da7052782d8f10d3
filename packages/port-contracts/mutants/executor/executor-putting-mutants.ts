import type { PutFileRequest, StepResult, Workspace } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { ExecutorMutant } from './executor-mutant.ts';

const never = new AbortController().signal;

/** Writes other content than asked for. */
function putting(
  change: (request: PutFileRequest, executor: FakeExecutor) => Partial<PutFileRequest>,
): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right, _, executor) => ({
    putFile: (request, signal) => right.putFile({ ...request, ...change(request, executor) }, signal),
  });
}

/** Writes although the right executor refuses for a reason. */
function writingDespite(
  code: string,
  isMeant: (path: string) => boolean = () => true,
): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right, _, executor) => ({
    putFile: async (request, signal) => {
      const put = await right.putFile(request, signal);
      if (!put.ok && put.refusal.code === code && isMeant(request.path)) {
        executor.files.write(request.path, request.content);
      }
      return put;
    },
  });
}

/** Consents in the user's place. */
function consenting(isMeant: (request: PutFileRequest) => boolean): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right) => ({
    putFile: async (request, signal) => {
      const put = await right.putFile(request, signal);
      const proposal = put.ok ? undefined : put.refusal.proposal;
      return proposal && isMeant(request) ? right.putFile({ ...request, consent: proposal }, signal) : put;
    },
  });
}

/** Executes steps with a signal that is never aborted. */
function unaborted(right: Workspace): Partial<Workspace> {
  return {
    putFile: (request) => right.putFile(request, never),
    modifyFile: (request) => right.modifyFile(request, never),
  };
}

function without<Value>(result: StepResult<Value>, field: string): StepResult<Value> {
  if (result.ok || result.refusal.proposal === undefined) {
    return result;
  }
  const proposal = { ...result.refusal.proposal, [field]: '' };
  return { ok: false, refusal: { ...result.refusal, proposal } };
}

/** Reads a file before it replaces it, so that it counts as seen. */
function lookingFirst(right: Workspace): Partial<Workspace> {
  return {
    putFile: async (request, signal) => {
      await right.viewFile(request, signal);
      return right.putFile(request, signal);
    },
  };
}

/** Executors that write the wrong content or in the wrong place. */
export const executorPuttingMutants: readonly ExecutorMutant[] = [
  {
    name: 'put-without-mark',
    wrong: 'drops a byte order mark that was given',
    mutateWorkspace: putting(({ content }) => ({ content: content.replace('\uFEFF', '') })),
  },
  {
    name: 'put-unseen',
    wrong: 'replaces a file that the run has not seen, or that was changed',
    mutateWorkspace: lookingFirst,
  },
  {
    name: 'put-too-much',
    wrong: 'writes a file that is too large',
    mutateWorkspace: writingDespite('too-large'),
  },
  {
    name: 'put-protected',
    wrong: 'writes a protected file, and refuses it too',
    mutateWorkspace: writingDespite('protected', (path) => path.includes('hooks')),
  },
  {
    name: 'put-in-plan',
    wrong: 'creates files in the mode plan',
    mutateWorkspace: writingDespite('protected', (path) => path === 'new.txt'),
  },
  {
    name: 'put-outside',
    wrong: 'creates files next to the root',
    mutateWorkspace: writingDespite('outside-roots', (path) => path === '../new.txt'),
  },
  {
    name: 'put-on-consent-to-anything',
    wrong: 'takes consent to something else',
    mutateWorkspace: consenting(({ consent }) => consent !== undefined),
  },
  { name: 'put-unasked', wrong: 'asks for nothing', mutateWorkspace: consenting(() => true) },
  {
    name: 'ask-without-hash',
    wrong: 'does not say which content the question is about',
    mutateWorkspace: (right) => ({
      putFile: async (request, signal) => without(await right.putFile(request, signal), 'beforeHash'),
    }),
  },
  {
    name: 'litter',
    wrong: 'leaves a temporary file',
    mutateWorkspace: (right, _, executor) => ({
      putFile: async (request, signal) => {
        const put = await right.putFile(request, signal);
        executor.files.write('.tmp', '');
        return put;
      },
    }),
  },
  { name: 'works-after-abort', wrong: 'makes changes after an abort', mutateWorkspace: (right) => unaborted(right) },
  {
    name: 'works-after-close',
    wrong: 'makes changes after it is closed',
    mutateWorkspace: () => ({ close: async () => undefined }),
  },
  {
    name: 'rejects',
    wrong: 'rejects for a name with NUL in it',
    mutateWorkspace: (right) => ({
      viewFile: async (request, signal) => {
        if (request.path.includes('\0')) {
          throw new TypeError('a path must not hold NUL');
        }
        return right.viewFile(request, signal);
      },
    }),
  },
  {
    name: 'reads-secrets',
    wrong: 'shows files that look like secrets',
    mutateWorkspace: (right, _, executor) => ({
      viewFile: async (request, signal) => {
        const viewed = await right.viewFile(request, signal);
        const text = executor.files.readText(request.path);
        const isSecret = !viewed.ok && viewed.refusal.code === 'protected' && text !== null;
        const lines = { firstLine: 1, lastLine: 1, totalLines: 1 };
        return isSecret ? { ok: true, value: { path: request.path, text, ...lines, hash: '' } } : viewed;
      },
    }),
  },
];
