import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';
import { escapeControls, suspicious } from '../text/escape-controls.ts';
import { escapeName } from '../text/escape-name.ts';

/** Letters of other scripts that look like Latin ones, and signs that look like others. */
const twins: Readonly<Record<string, string>> = {
  ...{
    А: 'A',
    В: 'B',
    Е: 'E',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
    Т: 'T',
    Х: 'X',
    Ѕ: 'S',
    Ј: 'J',
    І: 'I',
    У: 'Y',
  },
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
    ѕ: 's',
    ј: 'j',
    і: 'i',
    у: 'y',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    һ: 'h',
    ӏ: 'l',
  },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Υ: 'Y', Χ: 'X' },
  ...{ ο: 'o', ν: 'v', ι: 'i', α: 'a', Ꭲ: 'T', Ꮤ: 'W', ı: 'i', ɡ: 'g', ː: ':', '։': ':', '׃': ':', '∶': ':', '꞉': ':' },
  ...{ '⟦': '[', '⁅': '[', '〔': '[', '【': '[', '❲': '[' },
};

const dash = /[\p{Pd}\u2212\u2500-\u2505\u2013\u2014\u2015\u30fc\u4e00\u02d7\u2043\u268a]/gu;

/** A text repeats its letters, so folding is cached. */
const folds = new Map<string, string>();

const maxFolds = 10_000;

/** A property of a tool that a user should check before approving it. It withholds nothing by itself. */
export type ToolFlag = ServerTool & {
  readonly kind: 'hidden-characters' | 'names-other-tool' | 'look-alike-name' | 'long-description';
  /** For a user, in a sentence. */
  readonly detail: string;
};

/** A tool of a server, reduced to its texts. */
export type WordedTool = ServerTool & { readonly description: string };

/** How much of a description is read: longer ones are flagged and read up to here. */
const maxDescriptionCharacters = 10_000;

const maxFlags = 1_000;

/** Names that may be words of any sentence are not telling. */
const isTelling = (name: string): boolean => name.length >= 4 && /[A-Za-z0-9][_.-][A-Za-z0-9]|[a-z][A-Z]/.test(name);

/**
 * Suspicious names and descriptions of tools: invisible characters, names of another server's tools, names that look like others, and more text than
 * a description needs. `ownNames` are our own tools. Takes time linear in the length of the texts.
 */
export function findToolFlags(tools: readonly WordedTool[], ownNames: readonly string[]): readonly ToolFlag[] {
  const serversOf = new Map<string, Set<string>>();
  const namesOf = new Map<string, Set<string>>();
  const remember = (server: string, name: string) => {
    added(serversOf, name, server);
    added(namesOf, skeletonOf(name), name);
  };
  for (const { server, tool } of tools) {
    remember(server, tool);
  }
  for (const name of ownNames) {
    remember('', name);
  }
  return tools
    .flatMap((tool) => [
      ...flagText(tool),
      ...flagMentions(tool, serversOf),
      ...flagLookAlikes(tool, { namesOf, serversOf }),
    ])
    .slice(0, maxFlags);
}

function added(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set();
  values.add(value);
  map.set(key, values);
}

function flagText({ server, tool, description }: WordedTool): readonly ToolFlag[] {
  const read = description.slice(0, maxDescriptionCharacters);
  const hidden = [tool, read].some((text) => suspicious.test(text) && escapeControls(text) !== text);
  return [
    ...(hidden
      ? [{ server, tool, kind: 'hidden-characters', detail: 'It contains invisible characters.' } as const]
      : []),
    ...(read === description
      ? []
      : [
          {
            server,
            tool,
            kind: 'long-description',
            detail: `Its description has ${description.length} characters.`,
          } as const,
        ]),
  ];
}

function flagMentions(
  { server, tool, description }: WordedTool,
  serversOf: ReadonlyMap<string, ReadonlySet<string>>,
): readonly ToolFlag[] {
  const words = description.slice(0, maxDescriptionCharacters).match(/[\p{L}\p{N}]+(?:[_.-]+[\p{L}\p{N}]+)*/gu) ?? [];
  const mentioned = [...new Set(words)].filter((word) => {
    const servers = serversOf.get(word);
    return isTelling(word) && servers !== undefined && !servers.has(server);
  });
  return mentioned.map((name) => {
    const [other = ''] = serversOf.get(name) ?? [];
    const owner = other === '' ? 'this program' : `the server ${escapeName(other)}`;
    return {
      server,
      tool,
      kind: 'names-other-tool',
      detail: `Its description names ${escapeName(name)}, a tool of ${owner}.`,
    };
  });
}

type Names = ReadonlyMap<string, ReadonlySet<string>>;

function flagLookAlikes(
  { server, tool }: WordedTool,
  { namesOf, serversOf }: { readonly namesOf: Names; readonly serversOf: Names },
): readonly ToolFlag[] {
  const kind = 'look-alike-name';
  const isOurs = isTelling(tool) && serversOf.get(tool)?.has('') === true;
  const others = [...(namesOf.get(skeletonOf(tool)) ?? [])].filter((name) => name !== tool);
  return [
    ...(isOurs ? [{ server, tool, kind, detail: 'It has the name of a tool of this program.' } as const] : []),
    ...others.map((name) => ({ server, tool, kind, detail: `Its name looks like ${escapeName(name)}.` }) as const),
  ];
}

const maxNameCharacters = 200;

/** Equal for names that a reader may confuse. */
function skeletonOf(name: string): string {
  const visible = [...name.slice(0, maxNameCharacters)].filter((character) => !suspicious.test(character)).join('');
  return foldTwins(visible)
    .toLowerCase()
    .replace(/[\s_.:-]+/g, '')
    .replace(/0/g, 'o')
    .replace(/[1|i]/g, 'l');
}

/** A text with lookalike letters replaced by ASCII, and every dash by `-`. */
function foldTwins(head: string): string {
  let folded = '';
  for (const character of head) {
    folded += foldTwin(character);
  }
  return folded;
}

function foldTwin(character: string): string {
  const known = folds.get(character);
  if (known !== undefined) {
    return known;
  }
  const plain = character.normalize('NFKC').replace(dash, '-');
  const folded = twins[plain] ?? plain;
  if (folds.size < maxFolds) {
    folds.set(character, folded);
  }
  return folded;
}
