// A reporter for vitest. It writes how many tests of each file passed, the failures, the seconds, and the errors outside of any
// test to the file that `GEMINI_MCP_TEST_REPORT` names. Vitest's own JSON report leaves out the errors outside of tests.
import { writeFileSync } from 'node:fs';
import { secondsOf } from './duration-reporter.mjs';

// biome-ignore lint/style/noDefaultExport: vitest takes the default export of a reporter's file.
export default class FailureReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const report = { files: modules.map(describeFile), faults: unhandledErrors.map(describeError) };
    writeFileSync(process.env.GEMINI_MCP_TEST_REPORT, JSON.stringify(report));
  }
}

/** A failure without a title belongs to the file or to a hook of it. */
function describeFile(module) {
  const suites = [module, ...module.children.allSuites()];
  const outsideTests = suites
    .flatMap((suite) => suite.errors())
    .map((error) => ({ title: null, ...describeError(error) }));
  const failedTests = [...module.children.allTests('failed')].map((test) => ({
    title: fullTitle(test),
    ...describeError(test.result().errors[0]),
  }));
  return {
    file: module.moduleId,
    seconds: secondsOf(module),
    passed: [...module.children.allTests('passed')].length,
    failures: [...outsideTests, ...failedTests],
  };
}

function describeError(error) {
  const frame = error?.stacks?.[0];
  return {
    message: String(error?.message ?? error),
    place: frame === undefined ? null : `${frame.file}:${frame.line}`,
  };
}

/** In the form that vitest's `-t` takes. */
function fullTitle(test) {
  const names = [];
  for (let task = test; task.type !== 'module'; task = task.parent) {
    names.unshift(task.name);
  }
  return names.join(' ');
}
