import type { SandboxState } from '@gemini-mcp/core';

type Unavailable = Extract<SandboxState, { readonly available: false }>;

/** What bubblewrap says where a system does not let it work, and what it means. Each was seen with a real system or its report. */
const signs: readonly (readonly [sign: RegExp, reason: Unavailable['reason'], detail: string])[] = [
  [
    /Failed RTM_NEWADDR|setting up uid map: Permission denied|Failed to write to uid_map|No permissions to creat(?:e|ing) new namespace.*apparmor/i,
    'blocked-by-apparmor',
    'AppArmor keeps bubblewrap from making user namespaces, as Ubuntu 24.04 does (kernel.apparmor_restrict_unprivileged_userns=1). Load the profile bwrap-userns-restrict that comes with the package apparmor-profiles: `sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`.',
  ],
  [
    /Creating new namespace failed: Operation not permitted|No permissions to creat(?:e|ing) new namespace|Can't mount proc.*Operation not permitted|pivot_root: Operation not permitted/i,
    'blocked-by-seccomp',
    "A filter of system calls keeps bubblewrap from making namespaces, as the default of Docker does. Run this server outside of the container, or start the container as an ordinary user: `--user 1000:1000 --security-opt seccomp=unconfined --security-opt systempaths=unconfined`. Never do that as root, who could change the settings of the host's kernel from such a container.",
  ],
  [
    /Creating new namespace failed: No space left on device|max_user_namespaces/i,
    'broken',
    'The system allows no user namespaces. Raise the limit: `sudo sysctl user.max_user_namespaces=15000`.',
  ],
  [
    /settings of the kernel can be written inside/,
    'broken',
    'Inside the sandbox the settings of the kernel (/proc/sys) could be written. Run this server as an ordinary user instead of root.',
  ],
  [
    /PR_SET_SECCOMP|filter of system calls has no effect/,
    'broken',
    'The kernel takes no filter of system calls, as under emulation by QEMU. Run this server with a Node for the architecture of the machine, and a kernel with CONFIG_SECCOMP_FILTER.',
  ],
];

const maxShownCharacters = 300;

/** What bubblewrap's last words mean, with what to do. */
export function readRefusal(words: string): Unavailable {
  const sign = signs.find(([pattern]) => pattern.test(words));
  if (sign !== undefined) {
    return { available: false, reason: sign[1], detail: sign[2] };
  }
  const shown = words
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxShownCharacters);
  const said = shown === '' ? 'and says nothing' : `and says: ${shown}`;
  return {
    available: false,
    reason: 'broken',
    detail: `bubblewrap is installed and does not work, ${said}. Try \`bwrap --unshare-all --ro-bind / / true\` in a terminal.`,
  };
}
