import { describe, expect, it } from 'vitest';
import { redactGitConfig } from './redact-git-config.ts';

describe('HOST-M5: redactGitConfig', () => {
  it.each([
    [
      '[remote "origin"]\n\turl = https://ada:s3cr3t@example.org/a.git\n',
      '[remote "origin"]\n\turl = https://example.org/a.git\n',
    ],
    ['\turl = https://s3cr3t@example.org/a.git\n', '\turl = https://example.org/a.git\n'],
    ['\tpushurl = "https://a:b@s3cr3t@example.org/"\n', '\tpushurl = "https://example.org/"\n'],
    ['[url "https://x:s3cr3t@example.org/"]\n\tinsteadOf = gh:\n', '[url "https://example.org/"]\n\tinsteadOf = gh:\n'],
    [
      '\turl = https://example.org/a.git?private_token=s3cr3t&x=1\n',
      '\turl = https://example.org/a.git?private_token=redacted&x=1\n',
    ],
    ['[http]\n\textraHeader = Authorization: Basic s3cr3t\n\tsslVerify = true\n', '[http]\n\n\tsslVerify = true\n'],
    ['[http "https://example.org/"] ExtraHeader = X: s3cr3t\n', '[http "https://example.org/"]\n'],
    ['\textraheader = AUTHORIZATION: \\\n basic s3cr3t\n[a]\n', '\n[a]\n'],
    ['[sendemail]\n\tsmtpPass = s3cr3t\n\tsmtpUser = ada\n', '[sendemail]\n\n\tsmtpUser = ada\n'],
    ['[hub]\n\toauthtoken = s3cr3t\n', '[hub]\n\n'],
    ['[credential]\n\thelper = "!f() { echo password=s3cr3t; }; f"\n', '[credential]\n\n'],
    ['# https://s3cr3t@example.org\n', '# https://example.org\n'],
    ['[x]\n\ty = ghp_0123456789abcdefghij0123\n', '[x]\n\ty = [redacted]\n'],
    ['[a "]"] token=s3cr3t', '[a "]"]'],
  ])('takes out of %j what lets somebody in', (text, expected) => {
    expect(redactGitConfig(text)).toBe(expected);
    expect(redactGitConfig(expected)).toBe(expected);
  });

  it.each([
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = git@example.org:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[user]\n\temail = ada@example.org\n\tsigningkey = ABCD\n[credential]\n\thelper = store\n[branch "token=x"]\n\tmerge = refs/heads/a\n',
    '\uFEFF[core]\r\n\tautocrlf = true\r\n',
    '',
  ])('leaves %j as it is', (text) => {
    expect(redactGitConfig(text)).toBe(text);
  });

  it('takes a time that grows with the length alone', () => {
    for (const piece of ['a://', '[', '\\', '[a "', 'x=\\\n', '?token=', 'password']) {
      expect(redactGitConfig(piece.repeat(1_000_000 / piece.length)).length).toBeGreaterThan(0);
    }
  });
});
