import type { CommandJudgement } from './command-rule.ts';

/** Variables that programs read for how they say things, and tests for how they run. */
const harmless =
  /^(?:CI|DEBUG|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ|TERM|NODE_ENV|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|(?:TEST|VITEST|JEST|PYTEST|UPDATE)_[A-Z0-9_]+)$/;

/** Variables by which a program is made to load or run something else than its arguments say. */
const loading =
  /^(?:LD_.*|DYLD_.*|GIT_.*|NODE_OPTIONS|NODE_PATH|PATH|HOME|ENV|BASH_.*|IFS|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|PYTHON(?:PATH|STARTUP|HOME|INSPECT)|PERL5(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH|EDITOR|VISUAL|PAGER|LESSOPEN|LESSCLOSE|MAN(?:PAGER|OPT)|BROWSER|SSH_.*|SUDO_.*|npm_config_.*|NPM_CONFIG_.*|YARN_.*|RUSTC.*|RUSTFLAGS|CARGO_(?:BUILD|TARGET)_.*|MAKEFLAGS|CC|CXX|GOFLAGS|PYTEST_(?:ADDOPTS|PLUGINS)|RIPGREP_CONFIG_PATH)$/;

/** Decides for a variable that is set for one command. */
export function judgeVariable(name: string): CommandJudgement {
  if (loading.test(name)) {
    return {
      decision: 'deny',
      reason: `${name} makes programs load or run something else. Run the command without it.`,
      rule: null,
    };
  }
  return harmless.test(name)
    ? { decision: 'allow', reason: `${name} changes how programs say things, or how tests run.`, rule: null }
    : { decision: 'ask', reason: `What ${name} makes a program do is not known.`, rule: null };
}
