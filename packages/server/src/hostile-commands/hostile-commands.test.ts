import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { takesAllWays, testUsers } from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LineOutcome, LinesPlace } from './testing/run-lines.ts';

/** PWN is a file outside of the project: whatever a line does, it must not be there in the end. */
const hidden: readonly (readonly [id: string, line: string, decision: LineOutcome['decision']])[] = [
  ['SHELL-01', 'ls; touch PWN', 'allow'],
  ['SHELL-01', 'ls && touch PWN', 'allow'],
  ['SHELL-01', 'false || touch PWN', 'allow'],
  ['SHELL-01', 'ls | touch PWN', 'allow'],
  ['SHELL-01', 'ls |& touch PWN', 'allow'],
  ['SHELL-01', 'ls & touch PWN', 'refused'],
  ['SHELL-01', 'ls\ntouch PWN', 'allow'],
  ['SHELL-01', 'ls\r\ntouch PWN', 'refused'],
  ['SHELL-01', 'ls\t;touch PWN', 'allow'],
  ['SHELL-02', 'echo $(touch PWN)', 'refused'],
  ['SHELL-02', 'echo `touch PWN`', 'refused'],
  ['SHELL-02', 'echo "a$(touch PWN)b"', 'refused'],
  ['SHELL-02', 'cat <(touch PWN)', 'refused'],
  ['SHELL-02', 'wc --files0-from=<(touch PWN)', 'refused'],
  ['SHELL-03', 'echo hi >PWN', 'allow'],
  ['SHELL-03', 'tee PWN <f', 'allow'],
  ['SHELL-03', 'cat <<E\n$(touch PWN)\nE', 'refused'],
  ['SHELL-03', "bash <<<'touch PWN'", 'refused'],
  ['SHELL-03', "source /dev/stdin <<<'touch PWN'", 'refused'],
  ['SHELL-05', "$'\\x74ouch' PWN", 'refused'],
  ['SHELL-05', "t''ouch PWN", 'allow'],
  ['SHELL-05', '\\touch PWN', 'allow'],
  ['SHELL-05', '/usr/bin/t?uch PWN', 'refused'],
  ['SHELL-05', '{touch,PWN}', 'refused'],
  ['SHELL-05', 'IFS=,;x=touch,PWN;$x', 'refused'],
  ['SHELL-06', 'BASH_ENV=./c.sh bash -c true', 'deny'],
  ['SHELL-06', 'PATH=.:$PATH; f2 PWN', 'refused'],
  ['SHELL-06', "PROMPT_COMMAND='touch PWN' bash -i", 'deny'],
  ['SHELL-06', 'hash -p /usr/bin/touch ls; ls PWN', 'refused'],
  ['SHELL-06', 'LD_PRELOAD=./x.so ls', 'deny'],
  ['SHELL-06', 'NODE_OPTIONS=--import=./x.mjs npm test', 'deny'],
  ['SHELL-09', 'echo #if \\\ntouch PWN', 'refused'],
  ['SHELL-09', 'echo $' + '{x@P}', 'refused'],
  ['SHELL-09', 'ls #\u2028touch PWN', 'refused'],
  ['SHELL-10', "printf -v 'a[$(touch PWN)]' v", 'allow'],
  ['SHELL-10', "test -v 'a[$(touch PWN)]'", 'allow'],
  ['SHELL-12', 'awk \'BEGIN{system("touch PWN")}\'', 'allow'],
  ['SHELL-12', "sed -n '1e touch PWN' f", 'allow'],
  ['SHELL-12', "sed 's/hi/touch PWN/e' f", 'allow'],
  ['SHELL-12', "sed -n 'w PWN' f", 'allow'],
  ['SHELL-12', 'xargs touch <<<PWN', 'refused'],
  ['SHELL-12', "find . -exec touch 'PWN' \\;", 'ask'],
  ['SHELL-12', 'git -c core.pager=./c.sh log', 'ask'],
  ['SHELL-14', 'env touch PWN', 'ask'],
  ['SHELL-14', 'nice touch PWN', 'allow'],
  ['SHELL-14', 'timeout 3 touch PWN', 'allow'],
  ['SHELL-14', 'stdbuf -o0 touch PWN', 'ask'],
  ['SHELL-14', 'flock f touch PWN', 'ask'],
  ['SHELL-14', "script -qc 'touch PWN' /dev/null", 'ask'],
  ['SHELL-14', 'timeout 2 watch -n1 -g touch PWN', 'ask'],
  ['SHELL-14', "ssh -o ProxyCommand='touch PWN' x", 'deny'],
  ['SHELL-15', 'npm test', 'allow'],
  ['SHELL-15', 'make', 'allow'],
  ['SHELL-15', 'python3 -c \'open("PWN", "w")\'', 'allow'],
  ['SHELL-15', 'node -e \'require("node:fs").writeFileSync("PWN", "")\'', 'allow'],
  ['SHELL-15', 'perl -e \'open(F, ">PWN")\'', 'ask'],
  ['SHELL-15', "vim -es -c '!touch PWN'", 'ask'],
  ['SHELL-15', "ed -s f <<<'!touch PWN'", 'refused'],
  ['SHELL-15', 'bash -c "touch PWN"', 'ask'],
  ['TOOL-HOST', 'GIT_SSH_COMMAND="touch PWN" git fetch', 'deny'],
  ['TOOL-HOST', 'git status', 'allow'],
];

/** An ordinary user, at night root as well: what the rules decide is the same, and command-runner-walls has the walls for both. */
const users = takesAllWays ? testUsers() : testUsers().slice(-1);

let place: LinesPlace;
let server: Server;
let reached = 0;

describe.runIf(process.platform === 'linux').each(users)('command lines of $name', ({ id: userId }) => {
  let outcomes: readonly LineOutcome[] = [];

  beforeAll(async () => {
    place = await LinesPlace.make(userId);
    const target = join(place.outside, 'PWN');
    await writeFile(join(place.outside, 'secret.txt'), 'outer-canary');
    await place.put('f', 'hi\n');
    await place.put('c.sh', `touch ${target}\n`, 0o755);
    await place.put('x.mjs', `import fs from 'node:fs'; fs.writeFileSync('${target}', '');\n`);
    await place.put('package.json', JSON.stringify({ scripts: { test: `touch ${target}` } }));
    await place.put('Makefile', `all:\n\ttouch ${target}\n`);
    await place.put('.git/HEAD', 'ref: refs/heads/main\n');
    await place.put('.git/objects/x', '');
    await place.put('.git/refs/x', '');
    await place.put('.git/config', `[core]\n\tfsmonitor = touch ${target}\n[alias]\n\tst = !touch ${target}\n`);
    server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    outcomes = await place.run(hidden.map(([, line]) => line.replaceAll('PWN', target)));
  });

  afterAll(async () => {
    server.close();
    await place.remove();
  });

  it.each(hidden.map(([id, line, decision], index) => ({ id, line, decision, index })))(
    '$id: $line is decided as $decision',
    ({ decision, index }) => {
      expect(outcomes[index]?.decision).toBe(decision);
    },
  );

  it('SHELL-01 to SHELL-15: none of them has an effect outside of the project', async () => {
    expect(outcomes).toHaveLength(hidden.length);
    expect(await readdir(place.outside)).toEqual(['secret.txt']);
  });

  it('SHELL-16: shows no file, variable or process of the machine', async () => {
    const lines = [
      'cd .. && cat outside/secret.txt',
      `cat ${place.outside}/secret.txt`,
      'cat /etc/shadow',
      'env',
      'cat /proc/1/environ',
      'cat /proc/self/environ',
      'cat < ../outside/secret.txt',
      'cat ../*/secret.txt',
    ];
    const results = await place.run(lines);
    const text = JSON.stringify(results);
    expect(results.map(({ result }) => result?.ok)).toEqual([false, true, true, true, true, true, false, true]);
    expect(text).not.toMatch(/outer-canary|AIza-canary|root:\$/);
  });

  it('SHELL-18: writes nothing that is protected, be it there or not', async () => {
    const before = await readFile(join(place.project, '.git/config'), 'utf8');
    const lines = [
      'echo x > .git/hooks/pre-commit; echo x > .gemini/settings.json; echo x > .vscode/tasks.json',
      'echo x > .git/config',
      'cp f .npmrc',
      'mkdir -p .gemini .vscode/x .husky',
      'tee .git/config .env GEMINI.md .mcp.json < f',
      'ln -s ../outside link',
      'echo x > link/PWN',
      'ln -s .git/config plain.txt',
      'echo x > plain.txt',
      'cp f node_modules/.bin/x',
    ];
    const results = await place.run(lines);
    expect(results[0]?.result).toMatchObject({ ok: false, refusal: { code: 'protected' } });
    expect(results[1]?.result).toMatchObject({ ok: false, refusal: { code: 'protected' } });
    expect(results[6]?.result).toMatchObject({ ok: false, refusal: { code: 'outside-roots' } });
    expect(results[8]?.result).toMatchObject({ ok: false, refusal: { code: 'protected' } });
    expect(await readFile(join(place.project, '.git/config'), 'utf8')).toBe(before);
    const names = await readdir(place.project);
    expect(names.filter((name) => name.startsWith('.') || /^[A-Z]+\.md$/.test(name))).toEqual(['.git']);
    expect(await readdir(place.outside)).toEqual(['secret.txt']);
  });

  it('SHELL-19, SHELL-20: nothing goes on, whatever was started', async () => {
    const lines = [
      'sleep 88001 & disown',
      'setsid sleep 88001',
      'nohup sleep 88001',
      ':(){ :|:& };:',
      'dd if=/dev/zero of=big bs=1M count=100000',
      'yes',
      'kill -9 -1; kill -9 $PPID',
      'kill -9 -1',
    ];
    const results = await place.run(lines, { timeoutMs: 2_000 });
    expect(results).toHaveLength(lines.length);
    expect(results.map(({ decision }) => decision)).toEqual([
      ...['refused', 'ask', 'allow', 'refused', 'ask', 'ask', 'refused', 'ask'],
    ]);
    const left = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes('88001'));
    expect(left).toEqual([]);
    // More than is copied before a command: the next one would have to be asked about.
    await rm(join(place.project, 'big'), { force: true });
  });

  it('SHELL-21: reaches no server of the machine, nor its surroundings', async () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const script = `for (const [port, host] of [[${port}, '127.0.0.1'], [80, '169.254.169.254']]) require('node:net').connect(port, host).on('error', (error) => console.log(error.code))`;
    const [bash, node] = await place.run([
      `exec 3<>/dev/tcp/127.0.0.1/${port}; curl 169.254.169.254`,
      `node -e "${script}"`,
    ]);
    expect(bash?.decision).toBe('refused');
    expect(JSON.stringify(node?.result)).toMatch(/ECONNREFUSED/);
    expect(JSON.stringify(node?.result)).toMatch(/ENETUNREACH/);
    expect(reached).toBe(0);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
