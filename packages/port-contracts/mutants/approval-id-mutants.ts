import type { ApprovalStoreMutant } from './approval-store-mutant.ts';
import { type ApprovalStorePoints, rightPoints } from './breakable-approval-store.ts';

let count = 0;

/** What they take for the same approval. */
export const approvalIdMutants: readonly ApprovalStoreMutant[] = [
  {
    name: 'random-ids',
    wrong: 'gives each approval an id of its own',
    points: {
      checksIds: false,
      idOf: () => {
        count += 1;
        return `id-${count}`;
      },
    },
  },
  {
    name: 'id-without-directory',
    wrong: 'makes the id without the directory',
    points: { idOf: ({ allows }) => rightPoints.idOf({ allows, directory: null }) },
  },
  {
    name: 'id-without-network',
    wrong: 'makes the id without the network',
    points: {
      idOf: ({ allows, directory }) =>
        rightPoints.idOf({ allows: allows.type === 'command' ? { ...allows, network: false } : allows, directory }),
    },
  },
  {
    name: 'joins-words',
    wrong: 'makes the id of the words with blanks between',
    points: {
      idOf: ({ allows, directory }) =>
        rightPoints.idOf({
          allows: allows.type === 'command' ? { ...allows, prefix: [allows.prefix.join(' ')] } : allows,
          directory,
        }),
    },
  },
  {
    name: 'trusts-ids',
    wrong: 'lists what was changed by hand under the id that it had',
    points: { checksIds: false },
  },
  {
    name: 'id-without-server',
    wrong: 'makes the id of a tool without its server',
    points: { idOf: idOfTool(({ tool }) => ({ server: '', tool })) },
  },
  {
    name: 'id-without-tool',
    wrong: 'makes the id of a tool without its name',
    points: { idOf: idOfTool(({ server }) => ({ server, tool: '' })) },
  },
  {
    name: 'id-without-digest',
    wrong: 'makes the id of a tool without the digest of its server',
    points: { idOf: idOfTool(() => ({ digest: '' })) },
  },
  {
    name: 'sorts-names-of-tools',
    wrong: 'makes one id of a tool and of the one whose server has its name',
    points: {
      idOf: idOfTool(({ server, tool }) => (server < tool ? { server, tool } : { server: tool, tool: server })),
    },
  },
  {
    name: 'tool-as-command',
    wrong: 'makes one id of a tool and of a command with the same words',
    points: {
      idOf: ({ allows, directory }) =>
        rightPoints.idOf({
          allows:
            allows.type === 'tool' ? { type: 'command', prefix: [allows.server, allows.tool], network: false } : allows,
          directory,
        }),
    },
  },
  {
    name: 'sorts-words',
    wrong: 'makes the id of the words in alphabetical order',
    points: { idOf: idOfWords((words) => [...words].sort()) },
  },
  {
    name: 'folds-case',
    wrong: 'makes the id of the words in small letters',
    points: { idOf: idOfWords((words) => words.map((word) => word.toLowerCase())) },
  },
  {
    name: 'id-of-program',
    wrong: 'makes the id of the program alone',
    points: { idOf: idOfWords((words) => words.slice(0, 1)) },
  },
  {
    name: 'id-of-two-words',
    wrong: 'makes the id of the first two words',
    points: { idOf: idOfWords((words) => words.slice(0, 2)) },
  },
  {
    name: 'cuts-long-words',
    wrong: 'makes the id of the first 200 characters of each word',
    points: { idOf: idOfWords((words) => words.map((word) => word.slice(0, 200))) },
  },
  {
    name: 'trims-directories',
    wrong: 'makes the id of the directory without the slash at its end',
    points: {
      idOf: ({ allows, directory }) => rightPoints.idOf({ allows, directory: directory?.replace(/\/$/, '') ?? null }),
    },
  },
];

type IdOf = ApprovalStorePoints['idOf'];
type ToolNames = { readonly server: string; readonly tool: string; readonly digest: string };

function idOfTool(change: (names: ToolNames) => Partial<ToolNames>): IdOf {
  return ({ allows, directory }) =>
    rightPoints.idOf({ allows: allows.type === 'tool' ? { ...allows, ...change(allows) } : allows, directory });
}

function idOfWords(change: (words: readonly string[]) => readonly string[]): IdOf {
  return ({ allows, directory }) => {
    const [program = '', ...others] = allows.type === 'command' ? change(allows.prefix) : [];
    return rightPoints.idOf({
      allows: allows.type === 'command' ? { ...allows, prefix: [program, ...others] } : allows,
      directory,
    });
  };
}
