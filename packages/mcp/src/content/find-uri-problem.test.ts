import { expect, it } from 'vitest';
import { findUriProblem } from './make-blocks-safe.ts';

it.each([
  'https://example.com/a?b#c',
  'http://localhost:3000/',
  'gemini://answers/1',
  'https://xn--mnchen-3ya.example/',
])('%s is shown', (uri) => {
  expect(findUriProblem(uri, ['gemini'])).toBeNull();
});

it.each([
  ['javascript:alert(1)', 'has a scheme that is not allowed'],
  ['JavaScript://x/%0aalert(1)', 'has a scheme that is not allowed'],
  ['data:text/html,<script>', 'has a scheme that is not allowed'],
  ['file:///etc/passwd', 'has a scheme that is not allowed'],
  ['vscode://install', 'has a scheme that is not allowed'],
  ['ms-msdt:/id', 'has a scheme that is not allowed'],
  ['blob:https://example.com/1', 'has a scheme that is not allowed'],
  ['other://answers/1', 'has a scheme that is not allowed'],
  ['/etc/passwd', 'is not a URI'],
  ['', 'is not a URI'],
  ['https://', 'is not a URI'],
  ['java\tscript:alert(1)', 'is not a URI'],
  ['https://example.com/\u202Egpj.exe', 'is not a URI'],
  ['https://ex\u00e4mple.com/', 'is not a URI'],
  ['https://example.com@evil.example/', 'has a login in it'],
  ['https://user:password@example.com/', 'has a login in it'],
  ['http://169.254.169.254/latest/meta-data', 'leads to the credentials of a machine'],
  ['http://0xA9FEA9FE/', 'leads to the credentials of a machine'],
  ['http://2852039166/', 'leads to the credentials of a machine'],
  ['http://metadata.google.internal/', 'leads to the credentials of a machine'],
  ['http://[fd00:ec2:0::254]/', 'leads to the credentials of a machine'],
  ['http://[::ffff:169.254.169.254]/', 'leads to the credentials of a machine'],
  ['http://100.100.100.200/', 'leads to the credentials of a machine'],
  ['http://metadata./', 'leads to the credentials of a machine'],
  [`https://example.com/${'x'.repeat(2_000)}`, 'is longer than 2000 characters'],
])('UPSTREAM-L4: %s is not', (uri, problem) => {
  expect(findUriProblem(uri, ['gemini'])).toBe(problem);
});
