import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../settings/setting.ts';
import { sampleProgram } from '../testing/sample-program.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';

const review = {
  ...{ kind: 'review', change: null, format: 'text', severity: 'low', failOn: 'low', focus: null, model: null },
  ...{ baselineFile: null, maxCost: null, posts: false },
};

const changes = 'working, staged, branch, a commit, a range such as main...HEAD, or the text of a patch';

const parse = (args: readonly string[]): CommandLine => parseCommandLine(args, sampleProgram);

describe('parseCommandLine', () => {
  it.each([
    [[], { kind: 'serve' }],
    [['--models', 'a'], { kind: 'serve' }],
    [['--help'], { kind: 'help' }],
    [['-h'], { kind: 'help' }],
    [['help'], { kind: 'help' }],
    [['help', 'doctor'], { kind: 'help' }],
    [['doctor', '--help'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
    [['-v'], { kind: 'version' }],
    [['--print-config', 'codex'], { kind: 'print-config', client: 'codex', link: false }],
    [['--print-config=codex', '--link'], { kind: 'print-config', client: 'codex', link: true }],
    [['doctor'], { kind: 'doctor', json: false, call: true }],
    [['login'], { kind: 'login', action: 'login', store: null }],
    [['login', '--store', 'file'], { kind: 'login', action: 'login', store: 'file' }],
    [['login', '--status'], { kind: 'login', action: 'status' }],
    [['logout'], { kind: 'login', action: 'logout' }],
    [['usage'], { kind: 'usage', by: 'model', since: null, json: false, pricesFile: null }],
    [
      ['usage', '--by=day', '--since', '2026-02-28', '--json', '--prices', 'p.json'],
      { kind: 'usage', by: 'day', since: { day: '2026-02-28' }, json: true, pricesFile: 'p.json' },
    ],
    [['usage', '--since=30d'], { kind: 'usage', by: 'model', since: { days: 30 }, json: false, pricesFile: null }],
    [['review'], review],
    [
      ['review', '--change=main...HEAD', '--format', 'json', '--severity', 'high', '--focus', 'races', '--model', 'm'],
      {
        ...review,
        ...{ change: { type: 'range', from: 'main', to: 'HEAD', fromMergeBase: true }, format: 'json' },
        ...{ severity: 'high', failOn: 'high', focus: 'races', model: 'm' },
      },
    ],
    [
      ['review', '--fail-on=never', '--baseline', 'b.json', '--max-cost', '0.5', '--post'],
      { ...review, failOn: 'never', baselineFile: 'b.json', maxCost: 0.5, posts: true },
    ],
    [['sessions'], { kind: 'sessions', action: 'list', owner: null, json: false }],
    [['sessions', 'list', '--json', '--owner=ab'], { kind: 'sessions', action: 'list', owner: 'ab', json: true }],
    [['sessions', 'show', 'x'], { kind: 'sessions', action: 'show', id: 'x', owner: null, json: false }],
    [['sessions', 'export', 'x', '--json'], { kind: 'sessions', action: 'export', id: 'x', owner: null, json: true }],
    [['sessions', 'delete', 'x'], { kind: 'sessions', action: 'delete', id: 'x', owner: null, json: false }],
    [['approvals'], { kind: 'approvals', action: 'list', json: false }],
    [['approvals', 'list', '--json'], { kind: 'approvals', action: 'list', json: true }],
    [['approvals', 'revoke', 'x'], { kind: 'approvals', action: 'revoke', id: 'x' }],
    [
      ['approvals', 'allow', '--network', '--', 'python', '-m', 'pytest'],
      { kind: 'approvals', action: 'allow', words: ['python', '-m', 'pytest'], network: true },
    ],
    [['mcp'], { kind: 'mcp', words: [] }],
    [
      ['mcp', 'add', 'a', '-e', 'A=1', '--', 'x', '--odd'],
      { kind: 'mcp', words: ['add', 'a', '-e', 'A=1', '--', 'x', '--odd'] },
    ],
    [['mcp', '--help'], { kind: 'mcp', words: ['--help'] }],
    [['--help', 'mcp'], { kind: 'help' }],
    [['doctor', '--json', '--no-call'], { kind: 'doctor', json: true, call: false }],
    [['--json', 'doctor'], { kind: 'doctor', json: true, call: true }],
  ])('%j', (args, mode) => {
    expect(parse(args).mode).toEqual(mode);
  });

  it('reads values of settings in both forms, and switches', () => {
    const { flags } = parse(['--models=a,b', '--state-dir', '/state', '--read-only', '--allow-yolo=0']);
    expect(Object.fromEntries(flags)).toEqual({
      models: 'a,b',
      'state-dir': '/state',
      'read-only': '1',
      'allow-yolo': '0',
    });
  });

  it('leaves to mcp what comes after it, and reads settings before it', () => {
    const { mode, flags } = parse(['--state-dir', '/state', 'mcp', 'list', '--read-only']);
    expect(mode).toEqual({ kind: 'mcp', words: ['list', '--read-only'] });
    expect([...flags]).toEqual([['state-dir', '/state']]);
  });

  it('joins the values of a repeated list flag', () => {
    const { flags } = parse(['--models=a', '--models=b', '--roots', '/a', '--roots', '/b']);
    expect(Object.fromEntries(flags)).toEqual({ models: 'a,b', roots: ['/a', '/b'].join(delimiter) });
  });

  it.each([
    [['--modls', 'a'], '--modls: there is no such flag. Did you mean --models?'],
    [['--model', 'a'], '--model: it belongs to the command review. Did you mean --models?'],
    [['review', '--change', 'a b'], `--change: it must be ${changes}`],
    [['review', '--severity=x'], '--severity: "x" is unknown. Choose from critical, high, medium, low.'],
    [['review', '--max-cost', '$1'], '--max-cost: "$1" is no amount. Give US dollars, such as 0.50.'],
    [['review', '--max-cost', '0'], '--max-cost: "0" is no amount. Give US dollars, such as 0.50.'],
    [['review', 'HEAD'], '"HEAD": unexpected argument for review'],
    [['--knock=x'], '--knock: there is no such flag. List the flags: --help'],
    [['--something-else'], '--something-else: there is no such flag. List the flags: --help'],
    [['-x'], '-x: there is no such flag. List the flags: --help'],
    [['--models'], '--models: its value is missing'],
    [['--models='], '--models: its value is missing'],
    [['--read-only='], '--read-only: its value is missing'],
    [['--models', '--read-only'], '--models: its value is missing'],
    [['--state-dir=/a', '--state-dir=/b'], '--state-dir: given more than once'],
    [['--help=now'], '--help: it takes no value'],
    [['--json'], '--json: it belongs to the commands doctor, sessions, usage and approvals'],
    [['--json', 'mcp'], '--json: it belongs to the commands doctor, sessions, usage and approvals'],
    [['mpc'], '"mpc": unknown command. Did you mean mcp?'],
    [['--owner=a'], '--owner: it belongs to the command sessions'],
    [['sessions', '--no-call'], '--no-call: it belongs to the command doctor'],
    [['doctor', '--owner=a'], '--owner: it belongs to the command sessions'],
    [['usage', 'day'], '"day": unexpected argument for usage'],
    [
      ['usage', '--by=dya'],
      '--by: "dya" is unknown. Did you mean day? Choose from model, tool, client, day, month, backend, principal.',
    ],
    [['usage', '--since=2026-02-29'], '--since: "2026-02-29" is no day. Give one such as 2026-11-01, or 30d.'],
    [['usage', '--since=0d'], '--since: "0d" is no day. Give one such as 2026-11-01, or 30d.'],
    [['sessions', 'lst'], 'sessions "lst": unknown command. Did you mean list?'],
    [['sessions', 'show'], 'sessions show: the id of a conversation is missing. List them: sessions list'],
    [['sessions', 'delete', 'a', 'b'], '"b": unexpected argument for sessions delete'],
    [['sessions', 'list', 'a'], '"a": unexpected argument for sessions list'],
    [['approvals', 'revok', 'x'], 'approvals "revok": unknown command. Did you mean revoke?'],
    [['approvals', 'revoke'], 'approvals revoke: the id of an approval is missing. List them: approvals list'],
    [['approvals', 'revoke', 'a', 'b'], '"b": unexpected argument for approvals revoke'],
    [['approvals', 'revoke', 'a', '--network'], '--network: approvals revoke does not take it'],
    [['--network'], '--network: it belongs to the command approvals'],
    [['--no-call'], '--no-call: it belongs to the command doctor'],
    [
      ['--print-config', 'claude_code'],
      `--print-config: "claude_code" is not a known client. Did you mean claude-code? There are claude-code, codex.`,
    ],
    [
      ['--print-config', 'claude'],
      `--print-config: "claude" is not a known client. Did you mean claude-code? There are claude-code, codex.`,
    ],
    [['--print-config'], '--print-config: its value is missing'],
    [['--link'], '--link: it goes with --print-config <client>'],
    [['docter'], '"docter": unknown command. Did you mean doctor?'],
    [['doctor', 'who'], '"who": unexpected argument for doctor'],
    [['logout', 'now'], '"now": unexpected argument for logout'],
    [['--status'], '--status: it belongs to the command login'],
    [['logout', '--status'], '--status: it belongs to the command login'],
    [['login', '--store=disk'], '--store: it takes file or keychain, and not with --status'],
    [['login', '--status', '--store=file'], '--store: it takes file or keychain, and not with --status'],
    [
      ['login', 'AIza-a-key'],
      'login: it takes no key as an argument, because other users and your shell could keep it. Type it when asked, or pipe it in.',
    ],
    [['/some/where'], '"/some/where": unknown command. List the commands: --help'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(args)).toThrow(new ConfigurationError(message));
  });
});
