import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/** The node types of a command line of plain words, patterns, variables, redirections and operators. */
const plainTypes: ReadonlySet<string> = new Set([
  ...'program list pipeline command command_name word string string_content raw_string number concatenation'.split(' '),
  ...'variable_assignment variable_name redirected_statement file_redirect file_descriptor'.split(' '),
]);

const operators: ReadonlySet<string> = new Set(['\n', '', ...'&& || ; | |& " = > >> < >| &> &>> >& [ ]'.split(' ')]);

/** Finds the first node that is not a plain part of a command line, by tree-sitter's grammar; null if all are plain. */
export async function createSecondGrammar(): Promise<(source: string) => string | null> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (source) => {
    const tree = parser.parse(source);
    const found = tree === null ? 'nothing' : findStrange(tree.rootNode);
    tree?.delete();
    return found;
  };
}

function findStrange(node: Node): string | null {
  if (node.isError || node.isMissing || !(plainTypes.has(node.type) || operators.has(node.type))) {
    return node.isError ? 'an error' : node.type;
  }
  for (const child of node.children) {
    const found = child === null ? null : findStrange(child);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
