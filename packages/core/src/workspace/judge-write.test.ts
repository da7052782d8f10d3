import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeWrite } from './judge-write.ts';

const isSensitive = (path: string): boolean => path.split('/').includes('.env');

function decide(path: string): string {
  return judgeWrite({ path, isSensitive }).decision;
}

describe('judgeWrite', () => {
  it.each(['src/a.ts', 'README.md', 'docs/github.md', 'git/a', 'src/package.ts', '.gitignore', 'a.git.ts'])(
    'allows %s',
    (path) => {
      expect(decide(path)).toBe('allow');
    },
  );

  it.each([
    'package.json',
    'packages/a/package.json',
    'Makefile',
    'Dockerfile.dev',
    'pnpm-lock.yaml',
    'node_modules/x/i.js',
  ])('asks about %s', (path) => {
    expect(decide(path)).toBe('ask');
  });

  it.each([
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.GIT/config',
    '.git ./config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
    '\uff0egit/config',
    '.gemini/settings.json',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.husky/pre-push',
    '.mcp.json',
    'GEMINI.md',
    '.npmrc',
    '.env',
    'a/.env',
    '.ENV',
  ])('denies %j', (path) => {
    expect(decide(path)).toBe('deny');
  });

  it('says why', () => {
    expect(judgeWrite({ path: '.git/config', isSensitive })).toEqual({
      decision: 'deny',
      reason: "The repository itself is the user's.",
    });
  });

  it('denies everything below a denied path', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'));
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (above, below) => {
        expect(decide([...above, '.git', ...below].join('/'))).toBe('deny');
      }),
    );
  });
});

describe('HOST-L7: judgeWrite and files that other programs obey', () => {
  it.each(
    [
      'a.code-workspace .exrc .vimrc .nvim.lua .nvimrc .dir-locals.el .gdbinit .lldbinit .autoenv .in .out .mise/x mise.local.toml',
      '.config/mise/config.toml sub/.config/mise/x .tool-versions.local devenv.nix .gitpod.yml .replit a.sublime-project .pdbrc',
      'CLAUDE.local.md AGENTS.override.md QWEN.md .goosehints .goose/x .rules .junie/x .trae/x .augment/x .augment-guidelines .kiro/x',
      '.factory/x .openhands/x .copilot/x docs/copilot-instructions.md .overcommit.yml .huskyrc .huskyrc.js .simple-git-hooks.json',
      '.lintstagedrc .lintstagedrc.json .lfsconfig hooks/pre-commit sub/hooks/commit-msg .appveyor.yml appveyor.yml .cirrus.yml',
      'buildspec.yml cloudbuild.yaml netlify.toml vercel.json Jenkinsfile.release JENKINSFILE.x GIT~1/config sub/GITMOD~1 MCP~1.JSO',
    ].flatMap((names) => names.split(' ')),
  )('denies %s', (path) => {
    expect(decide(path)).toBe('deny');
  });

  it.each(
    [
      '.cargo/config.toml .bazelrc MODULE.bazel mvnw gradlew gradle.properties gradle/wrapper/x.jar .mvn/extensions.xml init.gradle',
      'settings.gradle.kts Directory.Build.props global.json NuGet.Config sitecustomize.py usercustomize.py a.pth pytest.ini manage.py',
      'turbo.json nx.json lerna.json Taskfile.yml .justfile rules.mk .eslintrc.js .babelrc.js babel.config.js rollup.config.mjs',
      'next.config.ts nuxt.config.ts playwright.config.ts cypress.config.ts karma.config.js tailwind.config.cjs postcss.config.js',
      'prettier.config.js .mocharc.yml .pnp.cjs bunfig.toml deno.jsonc tsconfig.json tsconfig.build.json configure meson.build',
      'CMakePresets.json docker-compose.override.yml Containerfile go.work flake.nix shell.nix ansible.cfg main.tf .Rprofile',
      'BUILD.bazel WORKSPACE SConstruct wscript xmake.lua Tiltfile karma.conf.js fixtures/bare/HEAD',
      'package.json GNUmakefile a.rake a.just taskfile.yaml Rakefile justfile',
    ].flatMap((names) => names.split(' ')),
  )('asks about %s', (path) => {
    expect(decide(path)).toBe('ask');
  });

  it.each([
    'config.ts',
    'src/config.js',
    'inside.in.ts',
    'rules.md',
    'in',
    'out/a.ts',
    'hooks/use-state.ts',
    'notes~.md',
    'mk',
    'x.tfx',
  ])('leaves %s alone', (path) => {
    expect(decide(path)).toBe('allow');
  });
});
