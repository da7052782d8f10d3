import type { CoveredPath } from '../sandbox/sandbox-view.ts';

/** What clients, editors, Git and continuous integration keep in a project, and obey when it appears. */
const directories = [
  ...['.git', '.hg', '.svn', '.jj', '.bzr', '.sl'],
  ...[
    '.gemini',
    '.claude',
    '.codex',
    '.cursor',
    '.windsurf',
    '.vscode',
    '.idea',
    '.zed',
    '.continue',
    '.roo',
    '.agents',
  ],
  ...['.opencode', '.kilocode', '.amazonq', '.fleet', '.aider', '.clinerules', '.devcontainer', '.direnv'],
  ...['.github', '.gitlab', '.circleci', '.buildkite', '.woodpecker', '.forgejo', '.gitea', '.semaphore', '.ci'],
  ...['.husky', '.githooks'],
] as const;

/** As the programs that obey them write them. */
const files = [
  ...['.mcp.json', '.cursorrules', 'GEMINI.md', 'AGENTS.md', 'CLAUDE.md', '.envrc', '.mise.toml', 'mise.toml'],
  ...['.tool-versions', '.gitlab-ci.yml', '.travis.yml', '.drone.yml', 'Jenkinsfile', 'azure-pipelines.yml'],
  ...['bitbucket-pipelines.yml', 'lefthook.yml', 'lefthook.yaml', '.pre-commit-config.yaml', '.gitmodules'],
  ...['.gitattributes', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pypirc', '.env', '.env.local'],
] as const;

/** Names that stay free at the top of a project while a command runs. `path` is the name. */
export const heldNames: readonly CoveredPath[] = [
  ...directories.map((path) => ({ path, kind: 'directory' as const })),
  ...files.map((path) => ({ path, kind: 'file' as const })),
];
