// `npm run mutants -- [port]`: how many wrong adapters the contract suites catch. Exits with 1 when one survives.
import { countCaught, countMutants, formatMutants } from './count-mutants.mjs';
import { requireInstalled } from './run-step.mjs';

const [port] = process.argv.slice(2);
await requireInstalled();
try {
  const ports = await countMutants(port);
  console.log(formatMutants(ports));
  const mutants = ports.flatMap((one) => one.mutants);
  const survivors = mutants.filter(({ caughtBy }) => caughtBy.length === 0);
  console.log(`\n${countCaught(mutants)} of ${mutants.length} mutants caught`);
  for (const { name, wrong } of survivors) {
    console.log(`survives: ${name}: ${wrong}`);
  }
  process.exitCode = survivors.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
