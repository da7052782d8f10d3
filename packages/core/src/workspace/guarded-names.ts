/** Names of files and directories in lower case, and why a change to them is refused or needs approval. */
export type NamesByReason = {
  readonly reason: string;
  readonly names: readonly string[];
  readonly beginnings?: readonly string[];
  readonly endings?: readonly string[];
  /** Relative paths of several names, such as `.config/mise`. */
  readonly places?: readonly string[];
};

/** Files that other programs obey, and why no tool of Gemini changes them. */
export type ProtectedPaths = Omit<NamesByReason, 'names'> & {
  /** As the programs that obey them spell them, like `files`. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  /**
   * Whether commands cannot create it at the top of a project either. Each such name is a mount for every command and takes about 2 ms, so names that
   * few programs obey are reported in the account instead.
   */
  readonly isHeld: boolean;
};

const setsUp = 'It sets up an AI client, an editor or a shell, which would run what it says.';

/** Directories and files that no tool of Gemini changes, wherever they are, and whether or not they exist. */
export const protectedPaths: readonly ProtectedPaths[] = [
  {
    reason: "The repository itself is the user's.",
    directories: words('.git .hg .svn .jj .bzr .sl'),
    files: [],
    isHeld: true,
  },
  {
    reason: setsUp,
    directories: [
      ...words(
        '.gemini .claude .codex .cursor .windsurf .vscode .idea .zed .continue .roo .agents .opencode .kilocode',
      ),
      ...words('.amazonq .fleet .aider .clinerules .devcontainer .direnv'),
    ],
    files: words('.mcp.json .cursorrules GEMINI.md AGENTS.md CLAUDE.md .envrc .mise.toml mise.toml .tool-versions'),
    beginnings: ['.aider'],
    isHeld: true,
  },
  {
    reason: setsUp,
    directories: words('.goose .junie .trae .augment .kiro .factory .openhands .copilot .mise'),
    files: [
      ...words('CLAUDE.local.md AGENTS.override.md QWEN.md .goosehints .rules .augment-guidelines'),
      ...words('copilot-instructions.md .exrc .vimrc .nvimrc .nvim.lua .dir-locals.el .gdbinit .lldbinit .pdbrc'),
      ...words(
        '.gitpod.yml .replit mise.local.toml .mise.local.toml .tool-versions.local .autoenv .in .out devenv.nix',
      ),
    ],
    endings: ['.code-workspace', '.sublime-project'],
    places: ['.config/mise'],
    isHeld: false,
  },
  {
    reason: 'Continuous integration runs what it says, with the secrets of the project.',
    directories: words('.github .gitlab .circleci .buildkite .woodpecker .forgejo .gitea .semaphore .ci'),
    files: words('.gitlab-ci.yml .travis.yml .drone.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml'),
    isHeld: true,
  },
  {
    reason: 'Continuous integration or a deployment runs what it says, with the secrets of the project.',
    directories: [],
    files: words(
      '.appveyor.yml appveyor.yml .cirrus.yml .cirrus.star buildspec.yml buildspec.yaml cloudbuild.yaml cloudbuild.yml netlify.toml vercel.json',
    ),
    beginnings: ['jenkinsfile.'],
    isHeld: false,
  },
  {
    reason: 'Git runs it, or obeys it, at the next command of the user.',
    directories: words('.husky .githooks'),
    files: words('lefthook.yml lefthook.yaml .pre-commit-config.yaml .gitmodules .gitattributes .lfsconfig'),
    beginnings: ['.lefthook'],
    isHeld: true,
  },
  {
    reason: 'Hooks of Git run what it says, or it is one of them.',
    directories: [],
    files: words('.overcommit.yml .huskyrc'),
    beginnings: ['.huskyrc.', '.simple-git-hooks.', 'simple-git-hooks.', '.lintstagedrc', 'lint-staged.config.'],
    places: words(
      'hooks/pre-commit hooks/pre-push hooks/commit-msg hooks/prepare-commit-msg hooks/post-checkout hooks/post-merge hooks/post-commit hooks/pre-rebase hooks/post-rewrite',
    ),
    isHeld: false,
  },
  {
    reason: 'It holds settings of programs, often with keys in them.',
    directories: [],
    files: words('.npmrc .yarnrc .yarnrc.yml .pypirc'),
    isHeld: true,
  },
];

/** Their names, for case-insensitive comparison. */
export const protectedNames: readonly NamesByReason[] = protectedPaths.map(({ directories, files, ...place }) => ({
  ...place,
  names: [...directories, ...files].map((name) => name.toLowerCase()),
}));

/** Files that a build, an install or a test runs or obeys. */
export const askedNames: readonly NamesByReason[] = [
  {
    reason: 'Builds, installs or tests run what it says.',
    names: [
      ...words(
        'package.json pnpm-workspace.yaml .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs bunfig.toml deno.json deno.jsonc',
      ),
      ...words(
        'turbo.json nx.json lerna.json makefile gnumakefile justfile .justfile rakefile taskfile.yml taskfile.yaml',
      ),
      ...words('gemfile pyproject.toml setup.py setup.cfg conftest.py tox.ini noxfile.py pytest.ini manage.py'),
      ...words(
        'sitecustomize.py usercustomize.py cargo.toml build.rs go.mod go.work pom.xml mvnw mvnw.cmd build.gradle',
      ),
      ...words(
        'build.gradle.kts settings.gradle settings.gradle.kts init.gradle gradle.properties gradlew gradlew.bat',
      ),
      ...words('cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build configure .bazelrc module.bazel'),
      ...words('composer.json mix.exs containerfile procfile vagrantfile flake.nix shell.nix ansible.cfg .rprofile'),
      ...words('directory.build.props directory.build.targets global.json nuget.config karma.conf.js'),
      ...words('build.bazel workspace.bazel workspace sconstruct wscript xmake.lua tiltfile'),
    ],
    beginnings: [
      ...words('dockerfile docker-compose compose.yml compose.yaml compose.override. requirements tsconfig. .mocharc.'),
      ...words('.eslintrc .babelrc .prettierrc'),
    ],
    endings: words('.mk .just .rake .pth .tf .tf.json .bzl .cmake .gemspec .csproj .fsproj .vbproj .vcxproj .targets'),
    places: ['.cargo/config', '.cargo/config.toml', 'gradle/wrapper', '.mvn'],
  },
  {
    reason: 'It says which versions of dependencies are installed.',
    names: [
      ...words(
        'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb cargo.lock poetry.lock',
      ),
      ...words('pipfile pipfile.lock uv.lock gemfile.lock composer.lock go.sum deno.lock flake.lock'),
    ],
  },
  {
    reason: 'Git takes a directory with it, objects and refs for a repository, and runs what its settings say.',
    names: ['head'],
  },
  { reason: 'Programs in it run at the next command.', names: words('node_modules .venv venv vendor .yarn') },
];

/** `vite.config.ts` and similar: the program of that name runs it. */
export const toolConfiguration: RegExp = /^[^.]+\.config\.(?:[cm]?[jt]sx?|json|toml|ya?ml)$/;

/** Windows short names: `GIT~1` is `.git`. */
export const shortenedName: RegExp = /^[^.~]{1,8}~\d+(?:\.[^.]{0,3})?$/;

function words(text: string): readonly string[] {
  return text.split(' ');
}
