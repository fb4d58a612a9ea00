// Compares what the conformance suite found with the list of exceptions: `node mcp_conformance.mjs REVISION RESULTS EXCEPTIONS`.
// An exception is a scenario, or a check of one as `scenario/check`, which then is all of the scenario that may fail.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [revision, results, list] = process.argv.slice(2);
const lines = readFileSync(list, 'utf8').split('\n').filter((line) => line.trim() && !line.startsWith('#'));
const exceptions = new Set(lines.map((line) => line.split(/\s+/)).filter(([of]) => of === revision || of === 'both').map(([, name]) => name));

const failed = new Set();
let passed = 0;
for (const folder of readdirSync(results)) {
  const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'));
  const faults = checks.filter((check) => check.status === 'FAILURE');
  if (faults.length === 0) passed += 1;
  const byCheck = [...exceptions].some((name) => name.startsWith(`${scenario}/`));
  if (byCheck) faults.forEach((check) => failed.add(`${scenario}/${check.id}`));
  else if (faults.length > 0) failed.add(scenario);
}
const unexpected = [...failed].filter((name) => !exceptions.has(name));
const stale = [...exceptions].filter((name) => !failed.has(name));
unexpected.forEach((name) => console.error(`${revision}: ${name} fails and is no exception`));
stale.forEach((name) => console.error(`${revision}: ${name} is an exception and passes, or is not there`));
console.error(`${revision}: ${passed} scenarios pass, ${exceptions.size} exceptions`);
process.exit(unexpected.length + stale.length > 0 ? 1 : 0);
