import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Functions in place of programs: they record the words that a program would have been started with. */
const script = `
set -f
rec() { record rec "$@"; return 0; }
nok() { record nok "$@"; return 1; }
record() { local text; printf -v text '%s\\001' "\${A-}" "\${B-}" "$@"; printf '%s\\002' "$text" >> "$RECORD"; }
mapfile -d '' lines < "$LINES_FILE"
cd scratch
for line in "\${lines[@]}"; do
  eval "$line" > /dev/null 2>&1 < /dev/null
  printf '\\003' >> "$RECORD"
done
`;

/** Records the calls that Bash makes for each command line, in order. Pass only accepted lines: Bash runs them. */
export async function recordInBash(lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const place = await mkdtemp(join(tmpdir(), 'fuzz-commands-'));
  try {
    await mkdir(join(place, 'scratch'));
    const [record, linesFile] = [join(place, 'record'), join(place, 'lines')];
    await writeFile(record, '');
    await writeFile(linesFile, lines.map((line) => `${line}\0`).join(''));
    await runBash(place, { RECORD: record, LINES_FILE: linesFile, LC_ALL: 'C.UTF-8' });
    const recorded = (await readFile(record, 'utf8')).split('\u0003').slice(0, -1);
    return recorded.map((calls) =>
      calls
        .split('\u0002')
        .slice(0, -1)
        .map((call) => call.slice(0, -1)),
    );
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function runBash(cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const bash = spawn('/bin/bash', ['--norc', '--noprofile', '-c', script], {
      cwd,
      env: { PATH: '/nowhere', ...env },
      stdio: 'ignore',
    });
    bash.once('error', reject);
    bash.once('exit', (code) => (code === null ? reject(new Error('Bash was ended by a signal.')) : resolve()));
  });
}
