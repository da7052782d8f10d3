import { readdir, writeFile } from 'node:fs/promises';
import { copyGeminiCliWithoutPolicy } from '@gemini-mcp/fake-gemini';
import {
  type JsonRecord,
  type RecordedRequest,
  type Reply,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { resultsIn, runnerKinds, useRealCliPlace } from '../gemini-cli/testing/real-cli-place.ts';

type Call = readonly [name: string, args: JsonRecord];

/** A model that makes these calls, one after the other, and then says `done`. */
function calling(calls: readonly Call[]) {
  return ({ contents }: RecordedRequest): Reply => {
    const call = calls[(contents.length - 1) / 2];
    return call === undefined ? text('done') : toolCall(...call);
  };
}

/** Ways to say `..` or `/` that a list of what is forbidden can miss. */
function waysOut(outside: string): readonly string[] {
  const up = [
    '../..',
    '[.][.]/[.][.]',
    '.[.]/.[.]',
    '[.-.][.]/[.-.].',
    '{[,x}.]./{[,x}.].',
    '@(.)@(.)/@(.)@(.)',
    '\\.\\./\\.\\.',
  ];
  return [...up.flatMap((way) => [`${way}/**/*`, `${way}/*/canary*`]), `${outside}/**/*`, `{${outside},x}/**/*`];
}

const canary = 'canary-that-is-not-here';

/** Patterns that hold a backtracking matcher for hours over the contents below, some of them beyond any bound. */
const catastrophic = [
  ...['(a+)+$', '(a|a)*$', '(a|aa)+$', '([a-zA-Z]+)*$', '(.*a){12}$', '(?:a?){60}a{60}$', '(a*)*b', '((a)+)+$'],
  ...[
    '(?=(a+)+$)b',
    '(?!(a+)+$)b',
    '(a*)*\\1b',
    '(?<x>a+)+\\k<x>$',
    'a*a*a*a*a*a*a*b',
    '(.+)+(.+)+(.+)+!x',
    '\\s+\\s+\\s+x',
  ],
];

const contents = `hello ${'a'.repeat(60)}!\nhello ${' '.repeat(50_000)}y ${'a'.repeat(50_000)}!\n`.repeat(20);

describe.each(runnerKinds)('a model that is hostile to the %s runner', (kind) => {
  const given = useRealCliPlace(kind);

  const run = (calls: readonly Call[], cli?: string) => {
    given.api.reply(calling(calls));
    return given.place.run({
      tools: 'read-only',
      directory: given.place.at('mine'),
      roots: [given.place.at('mine'), given.place.at('theirs')],
      ...(cli !== undefined && { cli }),
      limits: { silenceMs: 1_500, answerMs: 6_000 },
    });
  };

  const callsOut = (): readonly Call[] =>
    waysOut(given.place.root).flatMap((pattern): readonly Call[] => [
      ['glob', { pattern }],
      ['grep_search', { pattern: '[[.]|x', include_pattern: pattern }],
    ]);

  it('PATTERN-01: gets every pattern that leads out denied, and names inside as before', async () => {
    await given.place.write({ 'mine/a.txt': 'inside', [`theirs/${canary}.txt`]: 'x' });
    const calls: readonly Call[] = [
      ['glob', { pattern: '**/[a-c].txt' }],
      ['grep_search', { pattern: 'in(side)?', include_pattern: '*.txt' }],
      ...callsOut(),
    ];
    const { failure, requests } = await run(calls);
    expect(failure).toBeNull();
    const [found, matched, ...denied] = resultsIn(requests);
    expect(found).toContain('a.txt');
    expect(matched).toContain('inside');
    expect(denied).toHaveLength(calls.length - 2);
    expect(denied.filter((result) => !result.includes('"response":{"error":'))).toEqual([]);
    expect(denied.join()).not.toContain(canary);
  });

  it.each(['a script', 'a program'])(
    'PATTERN-04: sees no name outside where the policy is not there, with %s',
    async (form) => {
      await given.place.write({
        'mine/a.txt': 'inside',
        [`theirs/${canary}.txt`]: 'x',
        [`state/sessions/${canary}.json`]: 'x',
      });
      const calls: readonly Call[] = [
        ['glob', { pattern: '**/*.txt' }],
        ['list_directory', { dir_path: '.' }],
        ['read_file', { file_path: 'a.txt' }],
        ...callsOut(),
        ...[
          '../../../../etc/*',
          '/etc/passwd',
          '/proc/self/environ',
          '../home/.gemini/tmp/*/**',
          '../../home/.gemini/*/*/**',
        ].map((pattern): Call => ['glob', { pattern }]),
      ];
      const script = await copyGeminiCliWithoutPolicy(given.place.at('cli'));
      const program = given.place.at('cli', 'program');
      await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
      const { failure, requests } = await run(calls, form === 'a script' ? script : program);
      expect(failure).toBeNull();
      const [found, listed, read, ...others] = resultsIn(requests);
      expect([found, listed, read].map((result) => /a\.txt|inside/.test(result ?? ''))).toEqual([true, true, true]);
      expect(others).toHaveLength(calls.length - 3);
      // Where ripgrep is installed the CLI searches by it, and tells what it says about such a pattern.
      const saysNothing = /"output":"(?:No (?:files|matches) found|Error during grep search operation:)|"error":/;
      expect(others.filter((result) => !saysNothing.test(result))).toEqual([]);
      expect(others.join()).not.toContain(canary);
    },
  );

  it('PATTERN-06: holds its process for no longer than a bound where the policy is not there', async () => {
    await given.place.write({ 'mine/a.txt': contents, 'mine/b.txt': 'hello' });
    const calls = catastrophic.flatMap((pattern): readonly Call[] => [
      ['grep_search', { pattern: 'hello', exclude_pattern: pattern }],
      // What grep takes for no expression the CLI looks for itself.
      ['grep_search', { pattern: `${pattern}|(?<q>x)` }],
    ]);
    const { failure, requests } = await run(calls, await copyGeminiCliWithoutPolicy(given.place.at('cli')));
    // Whatever is silent for longer than the limits above is ended.
    expect(failure).toBeNull();
    expect(resultsIn(requests)).toHaveLength(calls.length);
    const runs = (await readdir(given.place.at('runs'))).filter((name) => name !== 'compiled');
    expect(kind === 'warm' ? runs : ['x']).toHaveLength(1);
  });

  it('PATTERN-09: is not held by ignore files, long names, deep directories and large arguments', async () => {
    const long = 'a'.repeat(200);
    const ignore = [`${'*a'.repeat(40)}b`, `**/${'a*'.repeat(40)}b`, `${'[a-z]*'.repeat(20)}!`].join('\n');
    await given.place.write({
      'mine/.gitignore': ignore,
      'mine/.geminiignore': ignore,
      [`mine/${long}.txt`]: 'inside',
      [`mine/${'d/'.repeat(60)}deep.txt`]: 'inside',
    });
    const calls: readonly Call[] = [
      ['glob', { pattern: '**/*.txt' }],
      ['glob', { pattern: '**/**/**/**/d*p.txt' }],
      ['glob', { pattern: `${'a*'.repeat(10)}b` }],
      ['list_directory', { dir_path: '.', ignore: [`${'*a'.repeat(40)}b`, `${'a*'.repeat(40)}b`] }],
      ['grep_search', { pattern: 'inside', include_pattern: `${'a*'.repeat(10)}b` }],
      ['grep_search', { pattern: `${'(a*)*'.repeat(100_000)}b` }],
      ['glob', { pattern: '{'.repeat(500_000) }],
      ['glob', { pattern: '['.repeat(500_000) }],
      ['list_directory', { dir_path: '.', ignore: Array.from({ length: 10_000 }, () => '*a*a*a*a*b') }],
    ];
    const { failure, requests } = await run(calls);
    expect(failure).toBeNull();
    const results = resultsIn(requests);
    expect(results).toHaveLength(calls.length);
    expect(results[0]).toContain('deep.txt');
    expect(results.slice(-4).filter((result) => !result.includes('"response":{"error":'))).toEqual([]);
  });
});
