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
