import { expect, it } from 'vitest';
import { type Check, checksAsJson, formatChecks, passes } from './check.ts';

const checks: readonly Check[] = [
  { name: 'Node', status: 'ok', found: '22.12.0', fix: null },
  { name: 'Gemini CLI', status: 'fail', found: 'not found', fix: 'Install it.' },
  { name: 'Sandbox', status: 'warn', found: 'nothing', fix: 'Nothing.' },
];

it('prints a line for each check, and the remedy below it', () => {
  expect(formatChecks({ name: 'sample-server', version: '1.2.3', checks })).toBe(
    [
      'sample-server 1.2.3',
      '',
      'ok    Node        22.12.0',
      'fail  Gemini CLI  not found',
      '                  -> Install it.',
      'warn  Sandbox     nothing',
      '                  -> Nothing.',
      '',
      'Not ready: Gemini CLI.',
      '',
    ].join('\n'),
  );
});

it('keeps to a line what has line ends and more in its name', () => {
  const strange: Check = { name: 'Root', status: 'ok', found: '/a\u001b[31m\nb', fix: null };
  expect(formatChecks({ name: 'sample-server', version: '1.2.3', checks: [strange] })).toContain(
    '\nok    Root  /a\\u{1b}[31m\\u{a}b\n',
  );
});

it('a warning alone passes', () => {
  const passing = checks.filter(({ status }) => status !== 'fail');
  expect(passes(passing)).toBe(true);
  expect(passes(checks)).toBe(false);
  expect(formatChecks({ name: 'sample-server', version: '1.2.3', checks: passing })).toContain('\nReady.\n');
});

it('says the same in JSON', () => {
  expect(JSON.parse(checksAsJson({ name: 'sample-server', version: '1.2.3', checks }))).toEqual({
    version: '1.2.3',
    ok: false,
    checks,
  });
});
