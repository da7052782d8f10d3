import { describe, expect, it } from 'vitest';
import { FileIndex, importsOf, isTest, mentionOf } from './related-files.ts';

describe('imports', () => {
  it.each([
    [
      'TypeScript',
      "import { a } from './a.ts';\nimport b from '../b';\nexport * from '@x/y';\nimport 'node:fs';\n",
      ['./a.ts', '../b', '@x/y'],
    ],
    ['CommonJS', "const a = require('./a');\nawait import('./late.mjs');\n", ['./a', './late.mjs']],
    ['Python', 'from .models import User\nimport app.db as db\n', ['.models', 'app.db']],
    ['C', '#include <stdio.h>\n#include "util/list.h"\n', ['util/list.h']],
    ['Rust', 'use crate::store::Disk;\nmod parse;\n', ['store::Disk', 'parse']],
    ['Java', 'import static org.x.Y;\nimport org.z.W;\n', ['org.x.Y', 'org.z.W']],
    ['Ruby', "require_relative 'lib/x'\n", ['lib/x']],
  ])('of %s are found', (_, text, names) => {
    expect(importsOf(text)).toEqual(names);
  });

  it('lead to files of the tree', () => {
    const paths = [
      'src/a.ts',
      'src/b/index.ts',
      'app/models.py',
      'app/api/views.py',
      'src/main/java/org/z/W.java',
      'lib/x.rb',
    ];
    const index = new FileIndex(paths);
    expect(index.resolve('src/c.ts', './a.ts')).toEqual(['src/a.ts']);
    expect(index.resolve('src/c.ts', './a.js')).toEqual(['src/a.ts']);
    expect(index.resolve('src/c.ts', './b')).toEqual(['src/b/index.ts']);
    expect(index.resolve('app/api/views.py', '..models')).toEqual(['app/models.py']);
    expect(index.resolve('src/X.java', 'org.z.W')).toEqual(['src/main/java/org/z/W.java']);
    expect(index.resolve('src/c.ts', '../../../etc/passwd')).toEqual([]);
    expect(index.resolve('src/c.ts', 'react')).toEqual([]);
  });
});

describe('imports of a language lead to its files', () => {
  const index = new FileIndex([
    ...[
      'src/util.c',
      'src/util.h',
      'include/api/x.h',
      'crates/a/src/lib.rs',
      'crates/a/src/types.rs',
      'crates/b/src/types.rs',
    ],
    ...['binding/form.go', 'binding/form_test.go', 'errors.go', 'gson/src/main/java/com/g/Y.java', 'src/path.ts'],
    ...['src/click/core.py', 'lib/sinatra/base.rb'],
  ]);

  it.each([
    ['src/util.c', '#include "util.h"', ['src/util.h']],
    ['src/util.c', '#include "api/x.h"', ['include/api/x.h']],
    ['crates/a/src/lib.rs', 'use crate::types::TypesBuilder;', ['crates/a/src/types.rs']],
    ['crates/a/src/lib.rs', 'use crate::{\n    types::{A, B},\n};', ['crates/a/src/types.rs']],
    ['gin.go', 'import (\n\t"errors"\n\t"github.com/gin-gonic/gin/binding"\n)', ['binding/form.go']],
    ['gson/src/test/java/com/g/YTest.java', 'import static com.g.Y.of;', ['gson/src/main/java/com/g/Y.java']],
    ['src/a.ts', "import { join } from 'path';", []],
    ['tests/test_core.py', 'from click.core import Command', ['src/click/core.py']],
    ['test/base_test.rb', "require 'sinatra/base'", ['lib/sinatra/base.rb']],
  ])('%s: %j', (importer, text, files) => {
    const found = importsOf(text).flatMap((name) => index.resolve(importer, name));
    expect([...new Set(found)]).toEqual(files);
  });
});

it('takes the test that is nearest by subject, not one of another part', () => {
  const index = new FileIndex([
    ...['src/router/a/router.ts', 'src/router/a/router.test.ts', 'src/router/b/router.test.ts'],
    ...['src/click/termui.py', 'examples/x/termui/termui.py', 'tests/test_termui.py'],
    ...[
      'gson/src/main/java/com/g/Y.java',
      'gson/src/test/java/com/g/YTest.java',
      'deep/down/below/test/util_test.c',
      'util.c',
    ],
  ]);
  expect(index.companions('src/router/a/router.ts')).toEqual(['src/router/a/router.test.ts']);
  expect(index.companions('tests/test_termui.py')).toEqual(['src/click/termui.py']);
  expect(index.companions('src/click/termui.py')).toEqual(['tests/test_termui.py']);
  expect(index.companions('gson/src/main/java/com/g/Y.java')).toEqual(['gson/src/test/java/com/g/YTest.java']);
  expect(index.companions('util.c')).toEqual([]);
});

it('finds the tests of a file, and the file of a test', () => {
  const paths = [
    'src/a.ts',
    'src/a.test.ts',
    'src/deep/a.ts',
    'pkg/x.py',
    'pkg/tests/test_x.py',
    'cmd/y.go',
    'cmd/y_test.go',
  ];
  const index = new FileIndex(paths);
  expect(index.companions('src/a.ts')).toEqual(['src/a.test.ts']);
  expect(index.companions('pkg/x.py')).toEqual(['pkg/tests/test_x.py']);
  expect(index.companions('cmd/y_test.go')).toEqual(['cmd/y.go']);
});

it('finds the guide that is nearest', () => {
  const index = new FileIndex(['AGENTS.md', 'packages/a/AGENTS.md', 'packages/b/src/x.ts']);
  expect(index.nearest('packages/a/src/x.ts', 'AGENTS.md')).toBe('packages/a/AGENTS.md');
  expect(index.nearest('packages/b/src/x.ts', 'AGENTS.md')).toBe('AGENTS.md');
  expect(index.nearest('packages/b/src/x.ts', 'CONTRIBUTING.md')).toBeNull();
});

it('knows tests by their names, and an entry file by its folder', () => {
  const tests = ['a.test.ts', 'tests/a.ts', 'a_test.go', 'test_a.py', 'ATest.java', '__tests__/a.js'];
  expect(tests.filter((path) => !isTest(path))).toEqual([]);
  expect(['src/latest.ts', 'contest.py', 'attestation/x.ts'].filter(isTest)).toEqual([]);
  expect([mentionOf('src/store/index.ts'), mentionOf('src/store.ts')]).toEqual(['store', 'store']);
});
