/** Names of files and directories, in lower case, and why no change to them is simply made. */
export type NamesByReason = {
  readonly reason: string;
  readonly names: readonly string[];
  readonly beginnings?: readonly string[];
};

/** What programs obey as soon as it appears in a project, and why no tool of Gemini's changes it. */
export type ProtectedPlaces = {
  readonly reason: string;
  /** As the programs that obey them write them, as with `files`. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  /** In lower case. */
  readonly beginnings?: readonly string[];
};

/** Directories and files that no tool of Gemini's changes, wherever they lie, and whether or not they are there yet. */
export const protectedPlaces: readonly ProtectedPlaces[] = [
  {
    reason: "The repository itself is the user's.",
    directories: ['.git', '.hg', '.svn', '.jj', '.bzr', '.sl'],
    files: [],
  },
  {
    reason: 'It sets up an AI client or an editor, which would run what it says.',
    directories: [
      ...['.gemini', '.claude', '.codex', '.cursor', '.windsurf', '.vscode', '.idea', '.zed', '.continue', '.roo'],
      ...[
        '.agents',
        '.opencode',
        '.kilocode',
        '.amazonq',
        '.fleet',
        '.aider',
        '.clinerules',
        '.devcontainer',
        '.direnv',
      ],
    ],
    files: [
      ...['.mcp.json', '.cursorrules', 'GEMINI.md', 'AGENTS.md', 'CLAUDE.md', '.envrc', '.mise.toml', 'mise.toml'],
      '.tool-versions',
    ],
    beginnings: ['.aider'],
  },
  {
    reason: 'Continuous integration runs what it says, with the secrets of the project.',
    directories: [
      ...['.github', '.gitlab', '.circleci', '.buildkite', '.woodpecker', '.forgejo', '.gitea', '.semaphore', '.ci'],
    ],
    files: [
      ...['.gitlab-ci.yml', '.travis.yml', '.drone.yml', 'Jenkinsfile', 'azure-pipelines.yml'],
      'bitbucket-pipelines.yml',
    ],
  },
  {
    reason: 'Git runs it, or obeys it, at the next command of the user.',
    directories: ['.husky', '.githooks'],
    files: ['lefthook.yml', 'lefthook.yaml', '.pre-commit-config.yaml', '.gitmodules', '.gitattributes'],
    beginnings: ['.lefthook'],
  },
  {
    reason: 'It holds settings of programs, often with keys in them.',
    directories: [],
    files: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc'],
  },
];

/** The names of these, for a comparison without regard to case. */
export const protectedNames: readonly NamesByReason[] = protectedPlaces.map(({ directories, files, ...place }) => ({
  ...place,
  names: [...directories, ...files].map((name) => name.toLowerCase()),
}));

/** Files that a build, an install or a test runs or obeys. */
export const askedNames: readonly NamesByReason[] = [
  {
    reason: 'Builds, installs or tests run what it says.',
    names: [
      ...[
        'package.json',
        'pnpm-workspace.yaml',
        '.pnpmfile.cjs',
        'makefile',
        'gnumakefile',
        'justfile',
        'rakefile',
        'gemfile',
      ],
      ...[
        'pyproject.toml',
        'setup.py',
        'setup.cfg',
        'conftest.py',
        'tox.ini',
        'noxfile.py',
        'cargo.toml',
        'build.rs',
        'go.mod',
      ],
      ...[
        'pom.xml',
        'build.gradle',
        'build.gradle.kts',
        'settings.gradle',
        'cmakelists.txt',
        'composer.json',
        'mix.exs',
      ],
      ...[
        'docker-compose.yml',
        'docker-compose.yaml',
        'compose.yml',
        'compose.yaml',
        'procfile',
        'vagrantfile',
        'deno.json',
      ],
    ],
    beginnings: [
      'dockerfile',
      'requirements',
      'vite.config.',
      'vitest.config.',
      'jest.config.',
      'webpack.config.',
      'eslint.config.',
    ],
  },
  {
    reason: 'It says which versions of dependencies are installed.',
    names: [
      ...[
        'package-lock.json',
        'npm-shrinkwrap.json',
        'pnpm-lock.yaml',
        'yarn.lock',
        'bun.lock',
        'bun.lockb',
        'cargo.lock',
      ],
      ...['poetry.lock', 'pipfile', 'pipfile.lock', 'uv.lock', 'gemfile.lock', 'composer.lock', 'go.sum', 'deno.lock'],
    ],
  },
  { reason: 'Programs in it run at the next command.', names: ['node_modules', '.venv', 'venv', 'vendor', '.yarn'] },
];
