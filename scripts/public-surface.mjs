// What the compiler of a stranger sees of our libraries, read from the declarations that the build made.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript-floor';
import { entriesOf, libraries } from './published-packages.mjs';

const kinds = [
  [ts.SymbolFlags.Class, 'class'],
  [ts.SymbolFlags.Function, 'function'],
  [ts.SymbolFlags.Variable, 'const'],
  [ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface, 'type'],
];

/**
 * Reads every entry of packages (default: the published ones) as `{ name, isInternal, exports, unnamed, imports }`:
 * `exports` are lines such as `class AskGemini`; `unnamed` are types of ours that a signature needs and that cannot be
 * imported; `imports` are the foreign modules that the declarations need to compile.
 */
export function readSurfaces(packages = libraries) {
  const entries = packages.flatMap(entriesOf);
  const program = createProgram(entries.map(({ declarations }) => declarations));
  const checker = program.getTypeChecker();
  const directories = packages.map(({ directory }) => join(directory, 'dist'));
  const read = entries.map((entry) => ({ ...entry, symbols: exportsOf(program, entry) }));
  const nameable = new Set(
    read.filter(({ isInternal }) => !isInternal).flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
  );
  return read.map((entry) => ({
    name: entry.name,
    exports: entry.symbols.map((exported) => `${kindOf(exported)} ${exported.name}`).sort(byName),
    isInternal: entry.isInternal,
    unnamed: entry.isInternal ? [] : findUnnamed(checker, entry, { nameable, directories }),
    imports: importsOf(entry.declarations),
  }));
}

function createProgram(files) {
  const { NodeNext: module } = ts.ModuleKind;
  const { NodeNext: moduleResolution } = ts.ModuleResolutionKind;
  return ts.createProgram(files, { target: ts.ScriptTarget.ES2022, module, moduleResolution, types: ['node'] });
}

function exportsOf(program, { declarations }) {
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(declarations)));
  return exported.map((symbol) => ({
    name: symbol.name,
    isType: isOnlyType(symbol),
    symbol: declaredSymbol(checker, symbol),
  }));
}

/** Such a class can be named, and neither made nor extended. */
function isOnlyType(symbol) {
  return symbol.declarations.some((node) => ts.isExportSpecifier(node) && ts.isTypeOnlyImportOrExportDeclaration(node));
}

function declaredSymbol(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function kindOf({ isType, symbol }) {
  return isType ? 'type' : (kinds.find(([flags]) => symbol.flags & flags)?.[1] ?? 'namespace');
}

/** By name, not by kind: an export that becomes a class keeps its place. */
function byName(one, other) {
  const [first, second] = [one, other].map((line) => line.split(' ').at(-1));
  return first.localeCompare(second, 'en');
}

function findUnnamed(checker, { symbols }, { nameable, directories }) {
  const unnamed = new Set();
  for (const { name, symbol, isType } of symbols) {
    for (const reference of symbol.declarations.flatMap((node) => typeNamesIn(node, { skipsConstructors: isType }))) {
      const needed = declaredSymbol(checker, checker.getSymbolAtLocation(reference));
      if (liesIn(needed, directories) && !nameable.has(needed)) {
        unnamed.add(`${needed.name}, in ${name}`);
      }
    }
  }
  return [...unnamed].sort();
}

/** A type parameter is named at its declaration. */
function liesIn(symbol, directories) {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
  const isParameter = (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0;
  return !isParameter && directories.some((directory) => file.startsWith(directory));
}

function typeNamesIn(node, { skipsConstructors }) {
  const names = [];
  const visit = (inner) => {
    if (skipsConstructors && ts.isConstructorDeclaration(inner)) {
      return;
    }
    if (ts.isTypeReferenceNode(inner)) {
      names.push(inner.typeName);
    } else if (ts.isExpressionWithTypeArguments(inner)) {
      names.push(inner.expression);
    } else if (ts.isTypeQueryNode(inner)) {
      names.push(inner.exprName);
    }
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return names;
}

/** Follows the declarations as a compiler does, which reads all that can be reached, also what an entry does not export. */
function importsOf(declarations) {
  const foreign = new Set();
  const files = new Set([declarations]);
  for (const file of files) {
    for (const { fileName: specifier } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      if (specifier.startsWith('.')) {
        files.add(join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
      } else {
        foreign.add(specifier);
      }
    }
  }
  return [...foreign].sort();
}
