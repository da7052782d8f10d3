// A part of the tests as an ordinary user: root may read, change and remove everything, so walls against others do nothing
// for root.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rootDirectory } from './run-step.mjs';
import { runTests } from './run-tests.mjs';

/** An account that exists for nothing else, because the tests make files in its home. `.ci/run` makes it. */
const account = 'gemini-mcp-test';

export const isRoot = process.getuid?.() === 0;

/** The quick tests of files and their rights; those of the sandbox run their programs as both users anyway. */
const chosen = ['disk', 'files', 'processes', 'storage', 'workspace'].map(
  (directory) => `packages/adapters-node/src/${directory}/`,
);

/** Resolves to the results as a list: empty, with a reason on stdout, if the account is missing or may not read this clone. */
export async function runTestsAsOrdinaryUser() {
  const user = findUser();
  const why = user === null ? `The account ${account} is missing: useradd --create-home ${account}` : whyUnfit(user);
  if (why !== null) {
    console.log(`Not run. ${why}`);
    return [];
  }
  const { uid, gid, home } = user;
  return [
    await runTests({
      stage: 'an ordinary user',
      user: { uid, gid },
      environment: {
        HOME: home,
        USER: account,
        LOGNAME: account,
        XDG_STATE_HOME: undefined,
        XDG_CONFIG_HOME: undefined,
      },
      // The usual way to load the configuration writes next to it, where this user may not.
      args: ['--configLoader=runner', '--project=quick', ...chosen],
    }),
  ];
}

function findUser() {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${account}:`));
  if (line === undefined) {
    return null;
  }
  const [, , uid, gid, , home] = line.split(':');
  return { uid: Number(uid), gid: Number(gid), home };
}

function whyUnfit({ uid, gid }) {
  const { status } = spawnSync(process.execPath, ['-e', "require('node:fs').readdirSync('node_modules')"], {
    cwd: rootDirectory,
    uid,
    gid,
  });
  return status === 0 ? null : `${account} may not read ${rootDirectory} or run ${process.execPath}.`;
}
